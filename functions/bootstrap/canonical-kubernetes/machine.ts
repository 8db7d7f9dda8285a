/** Canonical Kubernetes on a machine: its configuration file, and the two scripts that make it a node. */
import { minor } from 'semver';
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { CERTIFICATE_ANNOTATION, PROXY } from '#lib/api/k8sd.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { readConfigs } from '../claim-config.ts';
import type { Secrets } from '../machine-secrets.ts';
import { noProxy } from '../no-proxy.ts';
import { asPair, type Part } from '../parts.ts';
import { planFile, SENTINEL } from '../plan-file.ts';
import { mirrorFiles, proxyDropIns } from '../runtime-files.ts';
import { snapInstallScript } from '../snap/install.ts';
import { registered, scriptHead } from '../snap/node.ts';
import { machineFactsOf } from '../machine-facts.ts';
import { AUTH } from '../auth-token.ts';
import { CA, CLIENT_CA, PARTS, PROXY_CA, SERVICE_ACCOUNT } from './authorities.ts';
import { documentOf } from './documents.ts';
import { type CanonicalKubernetesFacts, refuseOlder, type Role } from './facts.ts';
import { requireJoinToken } from './join-token.ts';
import { proxyManifest } from './proxy.ts';
import { canonicalKubernetesRules } from './rules.ts';

const CONFIG = '/etc/slipway/k8s.yaml';
const TOKEN = '/etc/slipway/k8s-join-token';
const AUTH_FILE = '/etc/slipway/k8s-auth-token';
const PROXY_FILE = '/etc/slipway/k8sd-proxy.yaml';
/** Where k8sd has the certificate that all of its members serve with. */
const CERTIFICATE = '/var/snap/k8s/common/var/lib/k8sd/state/cluster.crt';
const INSTALL = '/etc/slipway/k8s-install.sh';
const START = '/etc/slipway/k8s-start.sh';
const DONE = '/var/lib/slipway/k8s-joined';

/** Mirrors, which its containerd reads before each pull. */
export const HOSTS = '/etc/containerd/hosts.d';

export function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine, owner } = call;
  const [config] = readConfigs(call, cluster, canonicalKubernetesRules);
  refuseOlder(machine.spec.version, owner);
  const starts = machine.spec.bootstrap.action === 'Init';
  // Required on every call, whatever else is missing.
  const token = starts ? '' : requireJoinToken(call);
  const parts = starts ? PARTS : [CA];
  const found = machineFactsOf(call, cluster, { parts, authority: CA, cloudProvider: config.cloudProvider });
  if ('waiting' in found) return found;
  if (typeof token !== 'string') return token;
  const { secrets, ...machineFacts } = found;
  return planOf({ ...machineFacts, config, role: starts ? startOf(secrets) : { starts, token } });
}

function startOf(secrets: Secrets): Role {
  const pair = (part: Part) => asPair(secrets.of(part));
  return {
    starts: true,
    authToken: secrets.of(AUTH)[AUTH_TOKEN.key] ?? '',
    authorities: {
      server: pair(CA),
      client: pair(CLIENT_CA),
      frontProxy: pair(PROXY_CA),
      serviceAccount: pair(SERVICE_ACCOUNT),
    },
  };
}

function planOf(facts: CanonicalKubernetesFacts): BootstrapPlan {
  const { cluster, machine, owner, providerID, role } = facts;
  const { registries, proxy } = machine.spec.provisioning;
  const direct = noProxy(cluster);
  return {
    contract: 1,
    kind: 'scripted',
    needs: ['snapd'],
    provider: 'canonical-kubernetes',
    nodeName: machine.metadata.name,
    files: [
      { ...planFile(CONFIG, documentOf(facts), '0600'), instanceVariables: providerID !== undefined },
      ...(role.starts
        ? [planFile(AUTH_FILE, role.authToken, '0600'), planFile(PROXY_FILE, proxyManifest(facts), '0644')]
        : [planFile(TOKEN, role.token, '0600')]),
      planFile(INSTALL, installScript(facts), '0700'),
      planFile(START, startScript(facts), '0700'),
      ...mirrorFiles(HOSTS, registries, owner),
      ...proxyDropIns(['snap.k8s.containerd', 'snap.k8s.k8sd'], proxy, direct),
    ],
    units: [],
    commands: { pre: [], bootstrap: [`/bin/sh ${INSTALL}`, `/bin/sh ${START}`], post: [] },
    sentinel: SENTINEL,
    // Keys of the authorities, and tokens.
    removeAfterBootstrap: role.starts ? [CONFIG, AUTH_FILE] : [TOKEN],
    carries: ['registries'],
    noProxy: [...direct],
  };
}

function installScript({ machine, config }: CanonicalKubernetesFacts): string {
  const channel = `1.${minor(machine.spec.version)}-classic/${config.riskLevel}`;
  return snapInstallScript({ name: 'k8s', title: 'Canonical Kubernetes', channel, classic: true }, machine);
}

/**
 * Nothing is started or joined twice. k8sd writes the credentials of the kubelet long before it has joined, and leaves
 * them behind if it fails.
 */
function startScript(facts: CanonicalKubernetesFacts): string {
  const options = `--name ${quoted(facts.machine.metadata.name)} --file ${CONFIG} --timeout 15m`;
  const command = facts.role.starts ? `k8s bootstrap ${options}` : `k8s join-cluster "$(cat ${TOKEN})" ${options}`;
  return `${scriptHead('k8s', facts)}
if [ ! -e ${DONE} ]; then
  ${command}
  : >${DONE}
fi
${facts.role.starts ? reachable() : ''}${registered('/snap/k8s/current/bin/kubectl', '/etc/kubernetes/kubelet.conf', facts)}`;
}

/**
 * Lets provider-node reach k8sd, recognise it and be let in. The certificate comes from this machine, so nobody has to
 * trust what answers first.
 */
const reachable = (): string => `await 'the Kubernetes API of this machine' k8s kubectl get --raw /readyz
k8s kubectl apply -f ${PROXY_FILE}
k8s kubectl annotate --overwrite --namespace ${PROXY.namespace} daemonset/${PROXY.name} \\
  "${CERTIFICATE_ANNOTATION}=$(cat ${CERTIFICATE})"
k8s x-capi set-auth-token "$(cat ${AUTH_FILE})"
`;
