/** MicroK8s on a machine: the files that the snap reads on installation, and the two scripts that make it a node. */
import { minor } from 'semver';
import type { BootstrapPlan, PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { readConfigs } from '../claim-config.ts';
import { noProxy } from '../no-proxy.ts';
import { asPair, certificateOf } from '../parts.ts';
import type { Pair } from '../pki/pem.ts';
import { planFile, SENTINEL } from '../plan-file.ts';
import { hostsToml, refuseDuplicateHosts } from '../runtime-files.ts';
import { machineFactsOf } from '../machine-facts.ts';
import { snapInstallScript } from '../snap/install.ts';
import { apiPortUnits } from './api-port.ts';
import { AUTH } from '../auth-token.ts';
import { CA, PARTS, TOKEN } from './authorities.ts';
import { type MicroK8sFacts, FOLDER, isControlPlane, refuseUnsaid, startsCluster } from './facts.ts';
import { KUBELET_FILE, kubeletConfiguration } from './kubelet.ts';
import { certificatePath, LAUNCH_FILE, launchConfiguration } from './launch.ts';
import { microk8sRules } from './rules.ts';
import { startScript } from './start.ts';

const INSTALL = '/etc/slipway/microk8s-install.sh';
/** Where the cluster agent looks for it. */
const AUTH_FILE = '/capi/etc/token';
const START = '/etc/slipway/microk8s-start.sh';

export function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | Waiting {
  const [config] = readConfigs(call, cluster, microk8sRules);
  refuseUnsaid(call.composite.spec.version, cluster, call.owner);
  const { role, bootstrap } = call.composite.spec;
  const isWorker = role === 'worker';
  // A joining machine only gets the certificate to trust.
  const parts = bootstrap.action === 'Init' ? PARTS : [certificateOf(CA), TOKEN, ...(isWorker ? [] : [AUTH])];
  const needs = { parts, authority: CA, cloudProvider: config.cloudProvider };
  const found = machineFactsOf(call, cluster, needs);
  if ('waiting' in found) return found;
  const { secrets, ...machineFacts } = found;
  const token = secrets.of(TOKEN)['value'] ?? '';
  const authToken = isWorker ? undefined : secrets.of(AUTH)[AUTH_TOKEN.key];
  return planOf({ ...machineFacts, config, token, authToken }, asPair(secrets.of(CA)));
}

function planOf(facts: MicroK8sFacts, ca: Pair): BootstrapPlan {
  const { cluster, machine, providerID } = facts;
  return {
    contract: 1,
    kind: 'scripted',
    needs: ['snapd'],
    provider: 'microk8s',
    nodeName: machine.metadata.name,
    files: [
      planFile(LAUNCH_FILE, launchConfiguration(facts), '0600'),
      { ...planFile(KUBELET_FILE, kubeletConfiguration(facts), '0644'), instanceVariables: providerID !== undefined },
      planFile(`${FOLDER}/ca.crt`, ca.cert, '0644'),
      ...(startsCluster(facts) ? [planFile(`${FOLDER}/ca.key`, ca.key, '0600')] : []),
      ...(facts.authToken === undefined ? [] : [planFile(AUTH_FILE, facts.authToken, '0600')]),
      ...mirrorCertificates(machine),
      planFile(INSTALL, installScript(facts), '0700'),
      planFile(START, startScript(facts), '0700'),
    ],
    units: isControlPlane(facts) ? [...apiPortUnits(facts)] : [],
    commands: { pre: [], bootstrap: [`/bin/sh ${INSTALL}`, `/bin/sh ${START}`], post: [] },
    sentinel: SENTINEL,
    removeAfterBootstrap: [...secretFiles(facts)],
    carries: ['registries'],
    noProxy: [...noProxy(cluster)],
  };
}

/** The snap keeps copies: of its launch configuration, and of the authority on control planes. */
function secretFiles(facts: MicroK8sFacts): readonly string[] {
  return [...(isControlPlane(facts) ? [LAUNCH_FILE] : []), ...(startsCluster(facts) ? [`${FOLDER}/ca.key`] : [START])];
}

/** As MicroK8s writes them from its launch configuration; its containerd reads them before each pull. */
export function mirrorsOf(machine: Machine, owner: string): readonly PlanFile[] {
  const { registries } = machine.spec.provisioning;
  refuseDuplicateHosts(registries, owner);
  const tables = registries.map((registry) =>
    planFile(`${MIRRORS}/${registry.host}/hosts.toml`, hostsToml(registry, certificatePath(registry)), '0600'),
  );
  return [...tables, ...mirrorCertificates(machine)];
}

const MIRRORS = '/var/snap/microk8s/current/args/certs.d';

function mirrorCertificates({ spec }: Machine): readonly PlanFile[] {
  return spec.provisioning.registries.flatMap((registry) => {
    const path = certificatePath(registry);
    return path === undefined ? [] : [planFile(path, registry.caCertificate ?? '', '0644')];
  });
}

/** The MicroK8s snap of a machine. The track is the Kubernetes minor version; confined snaps have their own tracks. */
function installScript({ machine, config }: MicroK8sFacts): string {
  const classic = config.confinement === 'classic';
  const channel = `1.${minor(machine.spec.version)}${classic ? '' : '-strict'}/${config.riskLevel}`;
  return snapInstallScript({ name: 'microk8s', title: 'MicroK8s', channel, classic }, machine);
}
