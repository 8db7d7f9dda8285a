/**
 * A workload cluster whose control planes have a daemon behind a port-forward, as far as members and joins go: k8sd of
 * Canonical Kubernetes, or the cluster agent of MicroK8s. Both are played, with the requests and answers of
 * k8s-snap-api 2.1 and of microk8s-cluster-agent; connections and TLS are real.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTls, type Server as TlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { CERTIFICATE_ANNOTATION } from '#lib/api/k8sd.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import { KubeClient } from '#lib/kube/client.ts';
import { newIssuer } from './authority.ts';
import { forwardPorts } from './forwarding.ts';

export const AUTH = 'fa4e'.repeat(8);

export type Distribution = 'CanonicalKubernetes' | 'MicroK8s';

/** What the played daemons share, and what tests change. */
export interface Played {
  readonly nodes: Map<string, KubeObject>;
  /** Members of etcd by name, or of dqlite by endpoint. */
  readonly members: Set<string>;
  /** Members of the cluster of k8sd itself. */
  readonly daemons: Set<string>;
  /** Requests that got past TLS: Node, path, and body. */
  readonly asked: { readonly node: string; readonly path: string; readonly body: JsonObject }[];
  /** Texts of refusals that come before any other answer. */
  readonly refusals: string[];
  /** Nodes whose pod is not ready. */
  readonly unready: Set<string>;
  /** Nodes whose cluster agent has no file with the token. */
  readonly tokenless: Set<string>;
  /** Tokens that k8sd gave out, by name. */
  readonly tokens: Map<string, string>;
  readonly client: KubeClient;
  /** Replaces the annotation of the DaemonSet; undefined: there is none. */
  announce(certificate: string | undefined): void;
  close(): void;
}

const PORTS = { CanonicalKubernetes: 2380, MicroK8s: 25_000 } as const;
const PODS = { CanonicalKubernetes: 'k8sd-proxy', MicroK8s: 'calico-node' } as const;
const ROLES = {
  CanonicalKubernetes: 'node-role.kubernetes.io/control-plane',
  MicroK8s: 'node.kubernetes.io/microk8s-controlplane',
} as const;

export function addressOf(index: number): string {
  return `10.0.0.${index + 1}`;
}

/** @param names  of the control planes */
export async function playMembers(kind: Distribution, names: readonly string[]): Promise<Played> {
  const authority = await newIssuer('kubernetes-ca', 'RSA');
  const shared = await newIssuer('k8sd', 'ECDSA');
  let announced: string | undefined = shared.cert;
  const nodes = new Map(names.map((name, index) => [name, aNode(name, index, kind)]));
  const played = {
    nodes,
    members: new Set(kind === 'MicroK8s' ? names.map((_name, index) => `${addressOf(index)}:2379`) : names),
    daemons: new Set(names),
    asked: [] as Played['asked'],
    refusals: [] as string[],
    unready: new Set<string>(),
    tokenless: new Set<string>(),
    tokens: new Map<string, string>(),
  };
  const answer = kind === 'MicroK8s' ? agentOf(played) : k8sdOf(played);
  const daemons = new Map<string, TlsServer>();
  for (const [index, name] of names.entries()) {
    // All of k8sd serve with one certificate that names no machine; each agent has one for its address.
    const pair = kind === 'MicroK8s' ? await authority.issue(name, { ip: [addressOf(index), '127.0.0.1'] }) : shared;
    const server = createTls({ cert: pair.cert, key: pair.key }, (request, response) => {
      void answered(request, response, (path, body, auth) => {
        played.asked.push({ node: name, path, body });
        return answer(path, body, auth, name);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    daemons.set(name, server);
  }
  const api = createServer((request, response) => {
    void answered(request, response, (_path, body) => {
      const found = objectAt(request, body);
      if (found !== undefined) return [200, found];
      return [404, { kind: 'Status', status: 'Failure', code: 404, message: 'not found' }];
    });
  });
  forwardPorts(api, 'ports', (port, path) => {
    const [, pod = ''] = /\/pods\/([^/]+)\/portforward$/.exec(path) ?? [];
    const server = daemons.get(pod.replace(`${PODS[kind]}-`, ''));
    return server === undefined || port !== PORTS[kind]
      ? `no port ${port}`
      : connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');

  function objectAt({ method, url = '' }: IncomingMessage, body: JsonObject): unknown {
    const { pathname } = new URL(url, 'http://api');
    const name = pathname.split('/').at(-1) ?? '';
    if (pathname.endsWith('/nodes')) return listOf('NodeList', [...nodes.values()]);
    if (pathname.endsWith('/pods')) return listOf('PodList', [...nodes.keys()].map(podOf));
    if (pathname.endsWith('/daemonsets/k8sd-proxy')) {
      if (kind === 'MicroK8s') return undefined;
      const annotations = announced === undefined ? {} : { [CERTIFICATE_ANNOTATION]: announced };
      return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name, namespace: 'kube-system', annotations } };
    }
    const node = pathname.endsWith(`/nodes/${name}`) ? nodes.get(name) : undefined;
    if (node !== undefined && method === 'PATCH') nodes.set(name, mergePatch(node, body) as unknown as KubeObject);
    return nodes.get(name);
  }

  function podOf(node: string): KubeObject {
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'kube-system', name: `${PODS[kind]}-${node}` },
      spec: { nodeName: node },
      status: { conditions: [{ type: 'Ready', status: played.unready.has(node) ? 'False' : 'True' }] },
    };
  }

  const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const client = new KubeClient({ server, credentials: { ca: authority.cert } });
  return {
    ...played,
    client,
    announce: (certificate) => {
      announced = certificate;
    },
    close: () => {
      client.close();
      for (const one of [api, ...daemons.values()]) {
        one.closeAllConnections();
        one.close();
      }
    },
  };
}

type Reply = readonly [status: number, body: unknown];
type Answer = (path: string, body: JsonObject, auth: string, node: string) => Reply;
type Heard = (path: string, body: JsonObject, auth: string) => Reply;
type State = Pick<Played, 'members' | 'daemons' | 'asked' | 'refusals' | 'tokens' | 'nodes' | 'tokenless'>;

/** The shapes of microk8s-cluster-agent; it answers `null`, and repeats a token that it refuses. */
function agentOf({ members, refusals, tokenless }: State): Answer {
  return (path, body, auth, node) => {
    if (path === '/health') return [200, { status: 'OK' }];
    if (path !== '/cluster/api/v2.0/dqlite/remove') return [404, { error: 'Not found' }];
    if (tokenless.has(node))
      return [
        500,
        { error: 'Failed to remove from dqlite: failed to validate CAPI auth token: failed to read token file' },
      ];
    if (auth !== AUTH) return [401, { error: `Failed to remove from dqlite: invalid CAPI auth token "${auth}"` }];
    const refusal = refusals.shift();
    const removed = refusal === undefined && members.delete(stringAt(body, 'remove_endpoint') ?? '');
    if (removed) return [200, null];
    return [
      500,
      { error: `Failed to remove from dqlite: ${refusal ?? 'failed to run remove command: exit status 1'}` },
    ];
  };
}

/** The shapes of k8sd: a body of its own around every answer, and fields that it does not know are refused. */
function k8sdOf(state: State): Answer {
  const { members, daemons, refusals, tokens, nodes } = state;
  const failure = (code: number, error: string): Reply => [
    code,
    { type: 'error', status: '', status_code: 0, operation: '', error_code: code, error, metadata: null },
  ];
  const success = (metadata: unknown): Reply => [
    200,
    { type: 'sync', status: 'Success', status_code: 200, operation: '', error_code: 0, error: '', metadata },
  ];
  return (path, body, auth) => {
    if (auth !== AUTH) return failure(401, 'invalid token');
    const name = stringAt(body, 'name') ?? '';
    const refusal = refusals.shift();
    if (refusal !== undefined) return failure(500, refusal);
    if (path === '/1.0/x/capi/remove-node') {
      const unknown = Object.keys(body).find((key) => !['name', 'force', 'timeout'].includes(key));
      if (unknown !== undefined) return failure(400, `failed to parse request: unknown field "${unknown}"`);
      const force = at(body, 'force') === true;
      if ((daemons.has(name) || force) && !members.delete(name) && !force)
        return failure(500, `failed to delete node from datastore: no etcd member found with name: ${name}`);
      daemons.delete(name);
      return success({});
    }
    if (path === '/1.0/x/capi/generate-join-token') {
      const unknown = Object.keys(body).find((key) => !['name', 'worker', 'ttl'].includes(key));
      if (unknown !== undefined) return failure(400, `failed to parse request: unknown field "${unknown}"`);
      if (nodes.has(name)) return failure(500, `a node with this name is already part of the cluster: "${name}"`);
      const kept = tokens.get(name);
      const text = JSON.stringify({ secret: `fake-${tokens.size}`, worker: at(body, 'worker'), join_addresses: [] });
      const token = kept ?? Buffer.from(text).toString('base64');
      tokens.set(name, token);
      return success({ token });
    }
    return failure(404, 'not found');
  };
}

async function answered(request: IncomingMessage, response: ServerResponse, answer: Heard): Promise<void> {
  const body = await bodyOf(request);
  const auth = request.headers['capi-auth-token'];
  const [status, reply] = answer(request.url ?? '', body, typeof auth === 'string' ? auth : '');
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply));
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  return isJsonObject(body) ? body : {};
}

function listOf(kind: string, items: readonly KubeObject[]): unknown {
  return { kind, metadata: { resourceVersion: '1' }, items };
}

function aNode(name: string, index: number, kind: Distribution): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `uid-${name}`, labels: { [ROLES[kind]]: '' } },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: addressOf(index) }],
    },
  };
}
