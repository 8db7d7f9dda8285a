/** A machine's side of kubeadm: its files and the one command that makes it a node. */
import { stringify } from 'yaml';
import type { BootstrapPlan, PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { caCertHash, type Pair } from '../pki/pem.ts';
import { type Part, PARTS } from './authorities.ts';
import { readConfig, refuseClusterWide } from './config.ts';
import { initDocuments, joinDocuments } from './documents.ts';
import { apiVersionOf, type Facts } from './facts.ts';
import { HOST_COMMANDS, HOST_FILES } from './host.ts';
import { patchFiles } from './patches.ts';
import { requireSecrets, type Secrets } from './secrets.ts';

const CONFIG_FILE = '/etc/kubernetes/kubeadm.yaml';
const PKI = '/etc/kubernetes/pki';
/** Written once a machine is a node. Not below /run, which a first boot may lose. */
const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';

export function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | Waiting {
  const { composite: machine, owner, input } = call;
  const config = readConfig(machine.spec.bootstrap.config, owner);
  const clusterConfig = readConfig(cluster.spec.bootstrap.config, describeObject(cluster));
  if (machine.spec.role === 'worker') refuseClusterWide(config, clusterConfig, owner);
  const api = apiVersionOf(machine.spec.version, owner);
  const secrets = requireSecrets(call, cluster);
  if ('waiting' in secrets) return secrets;
  const endpoint = cluster.status?.controlPlaneEndpoint;
  if (endpoint === undefined)
    return { waiting: `waiting for the control-plane endpoint of Cluster "${cluster.metadata.name}"` };
  return planOf(
    {
      cluster,
      machine,
      owner,
      config,
      clusterConfig,
      api,
      endpoint,
      token: secrets.token,
      caCertHash: caCertHash(secrets.ca.cert),
      cloudProvider: config.cloudProvider ?? input.cloudProvider,
      providerID: cluster.status?.infrastructure?.providerIDFormat,
    },
    secrets,
  );
}

function planOf(facts: Facts, { carried }: Secrets): BootstrapPlan {
  const { machine, providerID } = facts;
  const init = machine.spec.bootstrap.action === 'Init';
  const documents = init ? initDocuments(facts) : joinDocuments(facts);
  const configFile = file(CONFIG_FILE, documents.map(asYaml).join(''), '0600');
  return {
    contract: 1,
    kind: 'scripted',
    provider: 'kubeadm',
    nodeName: machine.metadata.name,
    files: [
      { ...configFile, instanceVariables: providerID !== undefined },
      ...pkiFiles(carried),
      ...[...HOST_FILES, ...patchFiles(facts)].map(({ path, text }) => file(path, text, '0644')),
    ],
    units: [],
    commands: { pre: [...HOST_COMMANDS], bootstrap: [init ? INIT : JOIN], post: [] },
    sentinel: SENTINEL,
    // It holds the token; the authorities stay, since a control plane signs with them.
    removeAfterBootstrap: [CONFIG_FILE],
  };
}

/** What kubeadm prints goes to the log of the first boot and often to a serial console: not the token. */
const INIT = `kubeadm init --config ${CONFIG_FILE} --skip-token-print`;
const JOIN = `kubeadm join --config ${CONFIG_FILE}`;

/** kubeadm reads YAML 1.1, where a bare "on" or "1_000" is no string. */
function asYaml(document: unknown): string {
  return `---\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' })}`;
}

/** Private keys for root alone, as kubeadm would write them. */
function pkiFiles(pairs: ReadonlyMap<Part, Pair>): readonly PlanFile[] {
  return [...pairs].flatMap(([part, { cert, key }]) => [
    file(`${PKI}/${PARTS[part].cert}`, cert, '0640'),
    file(`${PKI}/${PARTS[part].key}`, key, '0600'),
  ]);
}

function file(path: string, text: string, mode: string): PlanFile {
  const content = Buffer.from(text).toString('base64');
  return { path, content, mode, owner: 'root:root', append: false, instanceVariables: false };
}
