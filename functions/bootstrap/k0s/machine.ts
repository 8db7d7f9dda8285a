/** k0s on a machine: its files, and the two scripts that make it a node. */
import { minor } from 'semver';
import type { BootstrapPlan, PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { MachineCall, Waiting } from '../bootstrapper.ts';
import { carriedFiles } from '../carried.ts';
import { readConfigs } from '../claim-config.ts';
import type { Secrets } from '../machine-secrets.ts';
import { noProxy } from '../no-proxy.ts';
import { asPair, certificateOf } from '../parts.ts';
import { planFile, SENTINEL } from '../plan-file.ts';
import type { RegistriesUpdate } from '../registries-update.ts';
import { mirrorFiles, proxyDropIns } from '../runtime-files.ts';
import { machineFactsOf } from '../machine-facts.ts';
import { CA, CARRIED, PARTS } from './authorities.ts';
import { clusterConfig } from './cluster-config.ts';
import { downloadScript } from './download.ts';
import { type K0sFacts, isController, releaseOf } from './facts.ts';
import { CONFIG_FILE, installScript, serviceOf, TOKEN_FILE } from './install.ts';
import { joinToken } from './join-token.ts';
import { k0sRules } from './rules.ts';
import { traits } from './traits.ts';

const DATA = '/var/lib/k0s';
const CONTAINERD = '/etc/k0s/containerd.d';
const CERTS = `${CONTAINERD}/certs.d`;
const DOWNLOAD = '/etc/slipway/k0s-download.sh';
const INSTALL = '/etc/slipway/k0s-install.sh';

export function machineScope(call: MachineCall, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine, owner } = call;
  const [config] = readConfigs(call, cluster, k0sRules);
  const release = releaseOf(machine.spec.version, config, owner);
  const parts = machine.spec.role === 'control-plane' ? PARTS : [certificateOf(CA)];
  const found = machineFactsOf(call, cluster, { parts, authority: CA, cloudProvider: config.cloudProvider });
  if ('waiting' in found) return found;
  const { secrets, ...machineFacts } = found;
  const token = machine.spec.bootstrap.action === 'Init' ? undefined : call.joinToken();
  const ca = asPair(secrets.of(CA)).cert;
  return planOf({ ...machineFacts, config, release, ca, token }, secrets);
}

function planOf(facts: K0sFacts, secrets: Secrets): BootstrapPlan {
  const { cluster, machine, owner, providerID } = facts;
  const { registries, proxy } = machine.spec.provisioning;
  const token = joinToken(facts);
  const direct = noProxy(cluster);
  return {
    contract: 1,
    kind: 'scripted',
    provider: 'k0s',
    nodeName: machine.metadata.name,
    files: [
      ...(isController(facts) ? controllerFiles(facts, secrets) : []),
      ...(token === undefined ? [] : [planFile(TOKEN_FILE, token, '0600')]),
      planFile(DOWNLOAD, downloadScript(facts), '0700'),
      { ...planFile(INSTALL, installScript(facts), '0700'), instanceVariables: providerID !== undefined },
      ...(registries.length === 0 ? [] : [dropIn(machine)]),
      ...mirrorFiles(CERTS, registries, owner),
      ...proxyDropIns([serviceOf(facts)], proxy, direct),
    ],
    units: [],
    // k0s itself loads kernel modules and sets parameters.
    commands: { pre: [], bootstrap: [`/bin/sh ${DOWNLOAD}`, `/bin/sh ${INSTALL}`], post: [] },
    sentinel: SENTINEL,
    removeAfterBootstrap: token === undefined ? [] : [TOKEN_FILE],
    carries: ['registries'],
    noProxy: [...direct],
  };
}

function controllerFiles(facts: K0sFacts, secrets: Secrets): readonly PlanFile[] {
  return [
    planFile(CONFIG_FILE, clusterConfig(facts), '0600'),
    // The Kubernetes API runs as a separate user; k0s gives it the keys it needs.
    ...carriedFiles(`${DATA}/pki`, CARRIED, secrets, '0644'),
  ];
}

/** containerd reads its mirrors before each pull, but where they are only when k0s starts it. */
export function mirrorsOf(machine: Machine, owner: string): RegistriesUpdate {
  const files = mirrorFiles(CERTS, machine.spec.provisioning.registries, owner);
  return { files, ofUnit: { unit: serviceOf({ machine }), files: [dropIn(machine)] } };
}

/** containerd 2 has other plugin names. */
function dropIn(machine: Machine): PlanFile {
  const [version, plugin] =
    minor(machine.spec.version) >= traits.minors.since['containerd 2']
      ? [3, 'io.containerd.cri.v1.images']
      : [2, 'io.containerd.grpc.v1.cri'];
  const text = `version = ${version}\n\n[plugins."${plugin}".registry]\nconfig_path = "${CERTS}"\n`;
  return planFile(`${CONTAINERD}/slipway.toml`, text, '0644');
}
