/**
 * How Talos uses its machine configuration, in the layout of 1.13 or 1.14. A control plane does not start etcd by
 * itself: it joins the existing cluster, or waits for a call with the right certificate.
 */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { parse, parseAllDocuments } from 'yaml';
import { type Json, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';
import { MACHINE_CONFIG } from '../first-boot/talos.ts';
import { certificateHash } from './certificate-hash.ts';
import type { Called, Join, JoinPlan, Tool } from './plan.ts';

export const talos: Tool = {
  recognises: ({ files }) => files.some(({ path }) => path === MACHINE_CONFIG),
  plan: ({ text }) => planOf(documentsIn(text)),
};

/** The documents: the first one, and the others by kind; if there are several of a kind, the first of them. */
interface Documents {
  readonly first: Json | undefined;
  readonly of: (kind: string) => Json | undefined;
}

function documentsIn(text: string): Documents {
  const all = parseAllDocuments(text).map((document): unknown => document.toJS()) as readonly Json[];
  const seen = new Set<string>();
  for (const document of all) {
    const key = `${stringAt(document, 'kind') ?? 'v1alpha1'} ${stringAt(document, 'name') ?? ''}`.trim();
    if (seen.has(key)) throw new BootFailure(`talos: duplicate document ${key}`);
    seen.add(key);
  }
  return {
    first: all.find((document) => stringAt(document, 'version') === 'v1alpha1'),
    of: (kind) => all.find((document) => stringAt(document, 'kind') === kind),
  };
}

function planOf(documents: Documents): JoinPlan {
  const { first } = documents;
  const type = stringAt(first, 'machine', 'type');
  if (type === 'worker') return joinOf(documents, false);
  if (type !== 'controlplane') throw new BootFailure(`talos: unknown machine type "${type ?? ''}"`);
  const etcd = stringAt(first, 'cluster', 'etcd', 'ca', 'key');
  if (etcd === undefined) throw new BootFailure('talos: a control plane needs the key of the etcd CA');
  return calledOf(documents);
}

function calledOf(documents: Documents): Called {
  const join = joinOf(documents, true);
  const { endpoint, nodeName, labels, taints, version, tool, token } = join;
  const common = { endpoint, nodeName, labels, taints, version, tool };
  const ownCA = decoded(stringAt(documents.first, 'machine', 'ca', 'crt'));
  return {
    ...common,
    action: 'called',
    start: {
      ...common,
      action: 'init',
      ca: clusterCA(documents),
      tokens: token === undefined ? [] : [token],
      // By KubePrism, which knows the API of its own machine.
      reachesItself: true,
    },
    join,
    admits: (credentials) => refusalOf(credentials, ownCA),
  };
}

function joinOf(documents: Documents, controlPlane: boolean): Join {
  const { first, of } = documents;
  const url = stringAt(first, 'cluster', 'controlPlane', 'endpoint') ?? stringAt(of('KubeClusterConfig'), 'endpoint');
  if (url === undefined) throw new BootFailure('talos: the endpoint of the cluster is not set');
  const token = stringAt(first, 'cluster', 'token');
  if (token === undefined) throw new BootFailure('talos: cluster.token is not set');
  if (stringAt(first, 'machine', 'token') === undefined) throw new BootFailure('talos: trustd token is invalid');
  const ca = clusterCA(documents);
  const image = stringAt(first, 'machine', 'kubelet', 'image') ?? stringAt(of('KubeletConfig'), 'image');
  const kubelet = at(first, 'machine', 'kubelet', 'extraConfig') ?? at(of('KubeletConfig'), 'config');
  const taints = at(kubelet, 'registerWithTaints');
  return {
    tool: 'talos',
    action: 'join',
    endpoint: url.replace(/^https:\/\//, ''),
    nodeName: stringAt(of('HostnameConfig'), 'hostname'),
    labels: labelsIn(at(first, 'machine', 'nodeLabels') ?? at(of('KubeNodeConfig'), 'labels')),
    taints: Array.isArray(taints) ? (taints as readonly Json[]) : [],
    version: /:(v[0-9.]+)$/.exec(image ?? '')?.[1],
    controlPlane,
    token,
    trusts: (other) => certificateHash(other) === certificateHash(ca),
  };
}

/** PEM in base64 up to 1.13, plain PEM since 1.14. */
function clusterCA({ first, of }: Documents): string {
  const document = of('KubeAPIServerCAConfig');
  const accepted = at(document, 'acceptedCAs');
  const listed = Array.isArray(accepted) ? (accepted as readonly Json[])[0] : undefined;
  const plain = stringAt(document, 'issuingCA', 'cert') ?? (typeof listed === 'string' ? listed : undefined);
  const ca = plain ?? decoded(stringAt(first, 'cluster', 'ca', 'crt'));
  certificateHash(ca); // refuses anything but a certificate
  return ca;
}

function labelsIn(labels: Json | undefined): Readonly<Record<string, string>> {
  return isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {};
}

/** Why the Talos API of a machine refuses a talosconfig; undefined if it accepts it. */
function refusalOf(credentials: string, ownCA: string): string | undefined {
  const config: unknown = parse(credentials);
  const context = at(config, 'contexts', stringAt(config, 'context') ?? '');
  try {
    const client = new X509Certificate(decoded(stringAt(context, 'crt')));
    const key = decoded(stringAt(context, 'key')).replaceAll('ED25519 PRIVATE KEY', 'PRIVATE KEY');
    const own = createPublicKey(createPrivateKey(key)).equals(client.publicKey);
    if (!own || !client.verify(new X509Certificate(ownCA).publicKey)) return 'tls: bad certificate';
    return client.subject.split('\n').includes('O=os:admin') ? undefined : 'rpc error: not authorized';
  } catch {
    return 'tls: no certificate';
  }
}

function decoded(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString('utf8');
}
