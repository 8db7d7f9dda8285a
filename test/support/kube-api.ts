/** A minimal Kubernetes API: discovery and paginated lists of given objects, for one token. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '#lib/api/json.ts';

export const TOKEN = 'a-token';

export interface KubeApi {
  /** http://127.0.0.1:PORT */
  readonly server: string;
  /** A kubeconfig with the contexts `management`, which works, and `stranger`, with an invalid token. */
  readonly kubeconfig: string;
  /** `GET /path` of every request so far. */
  readonly requests: readonly string[];
  close(): void;
}

interface Served {
  /** Objects per response, whatever the limit. @default 500 */
  readonly page?: number;
  /** Kinds that may not be listed. */
  readonly forbidden?: readonly string[];
}

/** Serves objects until it is closed. Kinds whose objects have no namespace are cluster-scoped. */
export async function serveObjects(
  objects: readonly KubeObject[],
  { page = 500, forbidden = [] }: Served = {},
): Promise<KubeApi> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response, { objects, page, forbidden });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server: address, kubeconfig: kubeconfigOf(address), requests, close: () => server.close() };
}

function answer(
  { url = '', method, headers }: IncomingMessage,
  response: ServerResponse,
  { objects, page, forbidden }: { readonly objects: readonly KubeObject[] } & Required<Served>,
): void {
  const say = (code: number, body: unknown): void => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const refuse = (code: number, message: string): void =>
    say(code, { kind: 'Status', status: 'Failure', code, message });
  const { pathname, searchParams } = new URL(url, 'http://api');
  const found = /^\/(?:api|apis\/[^/]+)\/[^/]+/.exec(pathname)?.[0];
  if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(401, 'Unauthorized');
  if (method !== 'GET') return refuse(405, `${method ?? ''} is not allowed`);
  const version = (found ?? '').replace(/^\/apis?\//, '');
  const served = objects.filter(({ apiVersion }) => apiVersion === version);
  if (found === undefined || served.length === 0)
    return refuse(404, 'the server could not find the requested resource');
  if (pathname === found)
    return say(200, { kind: 'APIResourceList', groupVersion: version, resources: resourcesOf(served) });
  const [, namespace, plural] = /^(?:\/namespaces\/([^/]+))?\/([^/]+)$/.exec(pathname.slice(found.length)) ?? [];
  const listed = served.filter(
    ({ kind, metadata }) => pluralOf(kind) === plural && (namespace === undefined || metadata?.namespace === namespace),
  );
  const kind = served.find((object) => pluralOf(object.kind) === plural)?.kind ?? '';
  if (forbidden.includes(kind)) return refuse(403, `${plural ?? ''} is forbidden: User "jane" cannot list resource`);
  const start = Number(searchParams.get('continue') ?? 0);
  const more = start + page < listed.length ? { continue: String(start + page) } : {};
  // Items of a list have no apiVersion and kind.
  const items = listed.slice(start, start + page).map(({ apiVersion: _version, kind: _kind, ...rest }) => rest);
  say(200, { kind: `${kind}List`, apiVersion: version, metadata: { resourceVersion: '1', ...more }, items });
}

function resourcesOf(objects: readonly KubeObject[]): readonly unknown[] {
  const kinds = Map.groupBy(objects, ({ kind }) => kind);
  return [...kinds].flatMap(([kind, [first]]) => {
    const namespaced = first?.metadata?.namespace !== undefined;
    const name = pluralOf(kind);
    return [
      { name, kind, namespaced },
      { name: `${name}/status`, kind, namespaced },
    ];
  });
}

function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

function kubeconfigOf(server: string): string {
  const context = (name: string): unknown => ({ name, context: { cluster: 'lab', user: name } });
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'management',
    clusters: [{ name: 'lab', cluster: { server, 'insecure-skip-tls-verify': true } }],
    contexts: ['management', 'stranger'].map(context),
    users: [
      { name: 'management', user: { token: TOKEN } },
      { name: 'stranger', user: { token: 'another' } },
    ],
  });
}
