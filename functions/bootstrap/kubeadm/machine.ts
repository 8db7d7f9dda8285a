/** kubeadm on a machine: its files and the command that makes it a node. */
import { posix } from 'node:path';
import type { BootstrapPlan, PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { yamlDocument } from '#lib/api/yaml.ts';
import type { MachineCall, Waiting } from '../bootstrapper.ts';
import { carriedFiles } from '../carried.ts';
import { readConfigs } from '../claim-config.ts';
import type { Secrets } from '../machine-secrets.ts';
import { noProxy } from '../no-proxy.ts';
import { asPair, certificateOf } from '../parts.ts';
import { caCertHash } from '../pki/pem.ts';
import { planFile, SENTINEL } from '../plan-file.ts';
import { machineFactsOf } from '../machine-facts.ts';
import { CA, carriedBy, partsOf } from './authorities.ts';
import { CONFIG_FILE, initDocuments, joinDocuments } from './documents.ts';
import { ENCRYPTION, ENCRYPTION_FILE, encryptionText, isEncrypted } from './encryption.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { refuseMove } from './etcd.ts';
import { apiVersionOf, type KubeadmFacts } from './facts.ts';
import { clusterConfiguration } from './cluster-configuration.ts';
import { authentication, AUTHENTICATION_FILE, limitsAnonymous } from './anonymous.ts';
import { AUDIT_POLICY, AUDIT_POLICY_FILE, auditsItself } from './hardening.ts';
import { HOST_COMMANDS, HOST_FILES } from './host.ts';
import { patchFiles } from './patches.ts';
import { kubeadmRules } from './rules.ts';
import { PKI } from './pki-folder.ts';
import { runtimeCommands, runtimeFiles } from './runtime.ts';
import { windowsPlan } from './windows.ts';
import { CLUSTER_FILE, UPLOAD } from './upload.ts';

export function machineScope(call: MachineCall, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine, owner } = call;
  const [config, clusterConfig] = readConfigs(call, cluster, kubeadmRules);
  const api = apiVersionOf(machine.spec.version, owner);
  if (machine.spec.role === 'control-plane') refuseMove(cluster, config, owner);
  // A control plane gets all authorities of its cluster; a worker only gets the certificate to trust.
  const encrypted = isEncrypted(cluster);
  const parts = machine.spec.role === 'control-plane' ? partsOf(config, encrypted) : [certificateOf(CA)];
  const found = machineFactsOf(call, cluster, { parts, authority: CA, cloudProvider: config.cloudProvider });
  if ('waiting' in found) return found;
  const { secrets, ...machineFacts } = found;
  const token = call.joinToken();
  const hash = caCertHash(asPair(secrets.of(CA)).cert);
  const facts: KubeadmFacts = { ...machineFacts, config, clusterConfig, api, token, caCertHash: hash, encrypted };
  return machine.spec.machine.os === 'windows' ? windowsPlan(facts) : planOf(facts, secrets);
}

function planOf(facts: KubeadmFacts, secrets: Secrets): BootstrapPlan {
  const { cluster, machine, owner, providerID } = facts;
  const { provisioning } = machine.spec;
  const init = machine.spec.bootstrap.action === 'Init';
  const uploads = machine.spec.role === 'control-plane' && !init;
  const documents = init ? initDocuments(facts) : joinDocuments(facts);
  const configFile = planFile(CONFIG_FILE, documents.map(yamlDocument).join(''), '0600');
  return {
    contract: 1,
    kind: 'scripted',
    provider: 'kubeadm',
    nodeName: machine.metadata.name,
    files: [
      { ...configFile, instanceVariables: providerID !== undefined },
      ...(uploads ? [planFile(CLUSTER_FILE, yamlDocument(clusterConfiguration(facts)), '0600')] : []),
      ...(machine.spec.role === 'control-plane' ? controlPlaneFiles(facts, secrets) : []),
      ...[...HOST_FILES, ...patchFiles(facts)].map(({ path, text }) => planFile(path, text, '0644')),
      ...runtimeFiles(provisioning, noProxy(cluster), owner),
    ],
    units: [],
    commands: {
      pre: [...HOST_COMMANDS, ...etcdFolderCommands(facts), ...runtimeCommands(provisioning)],
      bootstrap: [
        ...(uploads ? [UPLOAD] : []),
        `${provisioning.proxy === undefined ? '' : WITHOUT_PROXY}${init ? INIT : JOIN}`,
      ],
      post: [],
    },
    sentinel: SENTINEL,
    // It contains the token; the authorities stay, because a control plane signs with them.
    removeAfterBootstrap: [CONFIG_FILE, ...(uploads ? [CLUSTER_FILE] : [])],
    carries: ['registries'],
    noProxy: [...noProxy(cluster)],
  };
}

function controlPlaneFiles(
  { config, encrypted, machine: { spec } }: KubeadmFacts,
  secrets: Secrets,
): readonly PlanFile[] {
  const { version } = spec;
  return [
    ...carriedFiles(PKI, carriedBy(config), secrets, '0640'),
    ...(encrypted ? [planFile(ENCRYPTION_FILE, encryptionText(secrets.of(ENCRYPTION)), '0600')] : []),
    ...(auditsItself(config.apiServer) ? [] : [planFile(AUDIT_POLICY_FILE, AUDIT_POLICY, '0600')]),
    ...(limitsAnonymous(version, config.apiServer.extraArgs)
      ? [planFile(AUTHENTICATION_FILE, authentication(version), '0600')]
      : []),
  ];
}

/** kubeadm refuses a folder that is not empty, and a new ext4 has one in its root; fsck makes it again when it needs it. */
function etcdFolderCommands({ config: { etcd }, machine: { spec } }: KubeadmFacts): readonly string[] {
  const isMount = spec.provisioning.mounts.some(({ path }) => normalize(path) === normalize(etcd.dataDir));
  if (spec.role !== 'control-plane' || etcd.external !== undefined || !isMount) return [];
  return [`rmdir ${quoted(`${etcd.dataDir}/lost+found`)} 2>/dev/null || :`];
}

function normalize(path: string): string {
  return posix.normalize(path).replace(/\/$/, '');
}

/**
 * The output of kubeadm is in the log of the first boot, and often on a serial console, so it must not contain the
 * token.
 */
const INIT = `kubeadm init --config ${CONFIG_FILE} --skip-token-print`;
/** kubeadm itself needs no proxy, and would write it, with its password, into pods that everyone can read. */
const WITHOUT_PROXY = 'env -u HTTP_PROXY -u http_proxy -u HTTPS_PROXY -u https_proxy ';
const JOIN = `kubeadm join --config ${CONFIG_FILE}`;
