/**
 * A Kubernetes API in memory, over HTTPS: lists, watches, writes and evictions of the kinds it is told. Objects are
 * kept as they come, without a schema. A test sees and changes them directly.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type JsonObject, type KubeObject, isJsonObject, sameJson } from '#lib/api/json.ts';
import { pathOf, type Resource } from '#lib/kube/resource.ts';
import type { Issued } from './authority.ts';
import { merged } from '../provider-node/scene.ts';

/** An answer to an eviction: undefined lets it happen. */
export type Evicting = (
  namespace: string,
  name: string,
) => { readonly status: number; readonly body: JsonObject } | undefined;
export type Noticed = (before: KubeObject | undefined, after: KubeObject | undefined) => void;

interface Watching {
  readonly resource: Resource;
  readonly response: ServerResponse;
}

interface Asked {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

class Refused extends Error {
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

export class LiveApi {
  readonly #resources: readonly Resource[];
  readonly #objects = new Map<string, KubeObject>();
  readonly #watches = new Set<Watching>();
  readonly #noticed: Noticed[] = [];
  readonly #server: Server;
  readonly #history: { readonly type: string; readonly object: KubeObject }[] = [];
  #version = 1;
  #uids = 0;
  #busy = 0;
  readonly #shaking = new Set<Socket>();
  #port = 0;
  #isForbidden = false;
  evicting: Evicting = () => undefined;
  /** True: what was asked for is done, and nobody hears of it, because the server is cut off then. */
  losing: (method: string) => boolean = () => false;
  /** How many requests came, watches included. */
  requests = 0;
  /** What was asked for, as the rules of roles name it: `patch apps/daemonsets kube-system`. */
  readonly used = new Set<string>();

  private constructor(pair: Issued, resources: readonly Resource[]) {
    this.#resources = resources;
    this.#server = createServer(pair, (request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.#shaking.add(socket);
      socket.once('close', () => this.#shaking.delete(socket));
    });
    this.#server.on('secureConnection', () => this.#shaken());
    this.#server.on('tlsClientError', () => this.#shaken());
  }

  /** @param pair  its certificate, for 127.0.0.1 */
  static async with(pair: Issued, ...resources: readonly Resource[]): Promise<LiveApi> {
    const api = new LiveApi(pair, resources);
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    api.#port = (api.#server.address() as AddressInfo).port;
    return api;
  }

  get server(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** No request is being answered, and no connection being made; watches do not count. */
  get isIdle(): boolean {
    return this.#busy === 0 && this.#shaking.size === 0;
  }

  onChange(noticed: Noticed): void {
    this.#noticed.push(noticed);
  }

  find(kind: string, name: string, namespace?: string): KubeObject | undefined {
    return this.#objects.get(keyOf(kind, name, namespace));
  }

  list(kind: string): readonly KubeObject[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind);
  }

  /** Creates or replaces it, as somebody else would. */
  put(object: KubeObject): KubeObject {
    const { name = '', namespace } = object.metadata ?? {};
    const before = this.find(object.kind, name, namespace);
    const { uid = before?.metadata?.uid ?? `uid-${(this.#uids += 1)}` } = object.metadata ?? {};
    const { generation = 0 } = before?.metadata ?? {};
    const isOther = JSON.stringify(before?.spec) !== JSON.stringify(object.spec);
    return this.#store(before, {
      ...object,
      metadata: { ...object.metadata, uid, generation: isOther ? generation + 1 : generation },
    });
  }

  /** Like `kubectl delete`: finalizers hold it. */
  delete(kind: string, name: string, namespace?: string, stamp = '2026-01-01T00:00:00Z'): void {
    const before = this.find(kind, name, namespace);
    if (before === undefined) return;
    if ((before.metadata?.finalizers ?? []).length === 0) this.#remove(before);
    else if (before.metadata?.deletionTimestamp === undefined)
      this.#store(before, merged(before, { metadata: { deletionTimestamp: stamp } }));
  }

  /** Connections are refused, and watches end. */
  cut(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** It answers, and refuses everything from now on. */
  forbid(): void {
    this.#isForbidden = true;
    this.#server.closeAllConnections();
  }

  /** After it was cut off: on the same port. */
  async restore(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Handshakes end about in their order. */
  #shaken(): void {
    const [first] = this.#shaking;
    if (first !== undefined) this.#shaking.delete(first);
  }

  #store(before: KubeObject | undefined, object: KubeObject): KubeObject {
    const after = merged(object, { metadata: { resourceVersion: String((this.#version += 1)) } });
    if (after.metadata?.deletionTimestamp !== undefined && (after.metadata.finalizers ?? []).length === 0) {
      this.#remove(after);
      return after;
    }
    this.#objects.set(keyOf(after.kind, after.metadata?.name, after.metadata?.namespace), after);
    this.#tell(before === undefined ? 'ADDED' : 'MODIFIED', after);
    for (const noticed of this.#noticed) noticed(before, after);
    return after;
  }

  #remove(object: KubeObject): void {
    this.#objects.delete(keyOf(object.kind, object.metadata?.name, object.metadata?.namespace));
    this.#tell('DELETED', merged(object, { metadata: { resourceVersion: String((this.#version += 1)) } }));
    for (const noticed of this.#noticed) noticed(object, undefined);
  }

  #tell(type: string, object: KubeObject): void {
    this.#history.push({ type, object });
    for (const { resource, response } of this.#watches)
      if (resource.kind === object.kind) response.write(`${JSON.stringify({ type, object })}\n`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://api');
    this.#busy += 1;
    this.requests += 1;
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body: unknown = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
      if (this.#isForbidden) throw new Refused(403, 'Forbidden', 'forbidden: nobody may do anything here');
      const asked = this.#asked(url.pathname);
      this.used.add(rightOf(request.method ?? '', asked, url.searchParams.get('watch') === 'true'));
      if (url.searchParams.get('watch') === 'true')
        return this.#watch(asked.resource, url.searchParams, request, response);
      const answer = this.#answer(request.method ?? '', asked, body, url);
      if (this.losing(request.method ?? '')) return this.cut();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    } catch (thrown) {
      const { status, reason, message } =
        thrown instanceof Refused ? thrown : { status: 500, reason: 'InternalError', message: String(thrown) };
      const answer = { kind: 'Status', status: 'Failure', code: status, reason, message };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } finally {
      this.#busy -= 1;
    }
  }

  #asked(path: string): Asked {
    for (const resource of this.#resources) {
      const all = pathOf(resource);
      const base = all.slice(0, -resource.plural.length - 1);
      const within = /^\/namespaces\/([^/]+)(\/.*)$/.exec(path.slice(base.length));
      const namespace = resource.namespaced ? within?.[1] : undefined;
      const rest = path.startsWith(base)
        ? namespace === undefined
          ? path.slice(base.length)
          : (within?.[2] ?? '')
        : '';
      const [, plural, name, subresource] = rest.split('/');
      if (plural === resource.plural) return { resource, namespace, name, subresource };
    }
    throw new Refused(404, 'NotFound', `no such path: ${path}`);
  }

  /** What happened after the version comes first. */
  #watch(resource: Resource, query: URLSearchParams, request: IncomingMessage, response: ServerResponse): void {
    const version = Number(query.get('resourceVersion'));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const event of this.#history)
      if (event.object.kind === resource.kind && Number(event.object.metadata?.resourceVersion) > version)
        response.write(`${JSON.stringify(event)}\n`);
    const watching = { resource, response };
    this.#watches.add(watching);
    const over = (): void => void this.#watches.delete(watching);
    request.socket.once('close', over);
    const seconds = Number(query.get('timeoutSeconds') ?? Infinity);
    if (Number.isFinite(seconds))
      setTimeout(() => {
        over();
        response.end();
      }, seconds * 1000).unref();
  }

  #answer(method: string, asked: Asked, body: unknown, url: URL): { readonly status: number; readonly body: unknown } {
    const { resource, namespace, name, subresource } = asked;
    if (name === undefined) {
      if (method === 'POST') return { status: 201, body: this.#create(body as KubeObject) };
      return { status: 200, body: this.#page(resource, namespace, url.searchParams.get('fieldSelector')) };
    }
    if (subresource === 'eviction') return this.#evict(namespace ?? '', name);
    const before = this.find(resource.kind, name, namespace);
    // Server-side apply creates what is not there.
    if (before === undefined && method === 'PATCH' && url.searchParams.has('force'))
      return { status: 201, body: this.put(body as KubeObject) };
    if (before === undefined) throw new Refused(404, 'NotFound', `${resource.plural} "${name}" not found`);
    if (method === 'GET') return { status: 200, body: before };
    const uid = isJsonObject(body) && isJsonObject(body['preconditions']) ? body['preconditions']['uid'] : undefined;
    if (method === 'DELETE') {
      if (uid !== undefined && uid !== before.metadata?.uid)
        throw new Refused(409, 'Conflict', 'the UID in the precondition does not match');
      this.delete(resource.kind, name, namespace);
      return { status: 200, body: { kind: 'Status', status: 'Success' } };
    }
    return { status: 200, body: this.#write(before, method, body as KubeObject, subresource) };
  }

  #create(object: KubeObject): KubeObject {
    const { name = '', namespace } = object.metadata ?? {};
    if (this.find(object.kind, name, namespace) !== undefined)
      throw new Refused(409, 'AlreadyExists', `${object.kind} "${name}" already exists`);
    return this.put(object);
  }

  #write(before: KubeObject, method: string, body: KubeObject, subresource: string | undefined): KubeObject {
    const { resourceVersion, uid } = body.metadata ?? {};
    if (resourceVersion !== undefined && resourceVersion !== before.metadata?.resourceVersion)
      throw new Refused(
        409,
        'Conflict',
        'the object has been modified; please apply your changes to the latest version',
      );
    if (uid !== undefined && uid !== before.metadata?.uid) throw new Refused(409, 'Conflict', 'another uid');
    const after = method === 'PUT' ? body : merged(before, body);
    if (sameJson(after, before)) return before; // no new version, and nobody is told
    if (subresource === 'status') return this.#store(before, { ...before, status: after.status ?? {} });
    const { status: _kept, ...rest } = after;
    return this.put({ ...rest, ...(before.status === undefined ? {} : { status: before.status }) });
  }

  #page(resource: Resource, namespace: string | undefined, fields: string | null): unknown {
    const node = /^spec\.nodeName=(.+)$/.exec(fields ?? '')?.[1];
    const items = this.list(resource.kind).filter(
      ({ metadata, spec }) =>
        (namespace === undefined || metadata?.namespace === namespace) &&
        (node === undefined || spec?.['nodeName'] === node),
    );
    return { kind: `${resource.kind}List`, metadata: { resourceVersion: String(this.#version) }, items };
  }

  #evict(namespace: string, name: string): { readonly status: number; readonly body: unknown } {
    if (this.find('Pod', name, namespace) === undefined) throw new Refused(404, 'NotFound', `pods "${name}" not found`);
    const refusal = this.evicting(namespace, name);
    return refusal ?? { status: 201, body: { kind: 'Status', status: 'Success' } };
  }
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

function rightOf(method: string, { resource, namespace = '', name, subresource }: Asked, isWatch: boolean): string {
  const read = name === undefined ? (isWatch ? 'watch' : 'list') : 'get';
  const [first = '', version] = resource.apiVersion.split('/');
  const group = version === undefined ? '' : first;
  const path = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
  return `${VERBS[method] ?? read} ${group}/${path} ${namespace}`;
}

function keyOf(kind: string, name = '', namespace = ''): string {
  return `${kind} ${namespace}/${name}`;
}
