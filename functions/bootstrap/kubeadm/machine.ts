/** A machine's side of kubeadm: its files and the one command that makes it a node. */
import { stringify } from 'yaml';
import type { BootstrapPlan, PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call } from '../bootstrapper.ts';
import { caCertHash, type Pair } from '../pki/pem.ts';
import { type Data, dataOf } from '../secrets.ts';
import { asPair, pairDataProblem, type Part, PARTS, secretName, TOKEN_PART, tokenProblem } from './authorities.ts';
import { readConfig } from './config.ts';
import { apiVersion, type Facts, initDocuments, joinDocuments } from './documents.ts';

const CONFIG_FILE = '/etc/kubernetes/kubeadm.yaml';
const PKI = '/etc/kubernetes/pki';
/** Written once a machine is a node. Not below /run, which a first boot may lose. */
const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';

export function machineScope(call: Call<Machine>, cluster: Cluster): BootstrapPlan | { readonly waiting: string } {
  const { composite: machine, owner, input } = call;
  const controlPlane = machine.spec.role === 'control-plane';
  const secrets = readSecrets(call, cluster, controlPlane ? ['ca', 'etcd-ca', 'proxy-ca', 'sa'] : ['ca']);
  if ('waiting' in secrets) return secrets;
  const { pairs, token } = secrets;
  const ca = pairs.get('ca');
  const endpoint = cluster.status?.controlPlaneEndpoint;
  if (ca === undefined || endpoint === undefined)
    return { waiting: `waiting for the control-plane endpoint of Cluster ${cluster.metadata.name}` };
  const config = readConfig(machine.spec.bootstrap.config, owner);
  const facts: Facts = {
    cluster,
    machine,
    config,
    endpoint,
    token,
    caCertHash: caCertHash(ca.cert),
    cloudProvider: config.cloudProvider ?? input.cloudProvider,
    providerID: cluster.status?.infrastructure?.providerIDFormat,
  };
  return planOf(facts, pairs, apiVersion(machine.spec.version, owner));
}

function planOf(facts: Facts, pairs: ReadonlyMap<Part, Pair>, version: 'v1beta3' | 'v1beta4'): BootstrapPlan {
  const { machine, providerID } = facts;
  const init = machine.spec.bootstrap.action === 'Init';
  const documents = init ? initDocuments(facts, version) : joinDocuments(facts, version);
  const text = documents
    .map((document) => `---\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`)
    .join('');
  const configFile: PlanFile = { ...file(CONFIG_FILE, text, '0600'), instanceVariables: providerID !== undefined };
  return {
    contract: 1,
    kind: 'scripted',
    provider: 'kubeadm',
    nodeName: machine.metadata.name,
    files: [configFile, ...(machine.spec.role === 'control-plane' ? pkiFiles(pairs) : [])],
    units: [],
    commands: { pre: [], bootstrap: [`kubeadm ${init ? 'init' : 'join'} --config ${CONFIG_FILE}`], post: [] },
    sentinel: SENTINEL,
    // It holds the token; the authorities stay, since the control plane signs with them.
    removeAfterBootstrap: [CONFIG_FILE],
  };
}

function pkiFiles(pairs: ReadonlyMap<Part, Pair>): readonly PlanFile[] {
  return [...pairs].flatMap(([part, { cert, key }]) => [
    file(`${PKI}/${PARTS[part].cert}`, cert, '0640'),
    file(`${PKI}/${PARTS[part].key}`, key, '0600'),
  ]);
}

function file(path: string, text: string, mode: string): PlanFile {
  return {
    path,
    content: Buffer.from(text).toString('base64'),
    mode,
    owner: 'root:root',
    append: false,
    instanceVariables: false,
  };
}

type Secrets = { readonly pairs: ReadonlyMap<Part, Pair>; readonly token: string } | { readonly waiting: string };

/** A Secret that is not there yet is awaited; one that was recorded as made and is not there is an error. */
function readSecrets(
  { reply, composite: machine, owner }: Call<Machine>,
  cluster: Cluster,
  parts: readonly Part[],
): Secrets {
  const { name } = cluster.metadata;
  const { namespace } = machine.metadata;
  const found = new Map<string, Data>();
  const missing: string[] = [];
  for (const part of [...parts, TOKEN_PART] as const) {
    const secret = secretName(name, part);
    const asked = reply.require(part, { apiVersion: 'v1', kind: 'Secret', namespace, matchName: secret });
    const [object] = asked ?? [];
    if (object === undefined) missing.push(secret);
    else found.set(part, checked(dataOf(object), part, `${namespace}/${secret}`));
    if (asked?.length === 0 && cluster.status?.certificates !== undefined)
      throw new SlipwayError(
        'UnreadableSecret',
        `cannot bootstrap ${owner}: Secret "${namespace}/${secret}" was made and is gone; restore it from a backup`,
      );
  }
  if (missing.length > 0 || cluster.status?.certificates === undefined)
    return { waiting: `waiting for the certificates of Cluster ${name}` };
  return {
    pairs: new Map(parts.map((part) => [part, asPair(found.get(part) ?? {})])),
    token: found.get(TOKEN_PART)?.['token'] ?? '',
  };
}

function checked(data: Data, part: Part | typeof TOKEN_PART, name: string): Data {
  const problem = part === TOKEN_PART ? tokenProblem(data) : pairDataProblem(data, part);
  if (problem === undefined) return data;
  throw new SlipwayError('UnreadableSecret', `cannot use Secret "${name}": ${problem}`);
}
