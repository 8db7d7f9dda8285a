/** Reads and writes objects of one Kubernetes API, over connections that stay open. */
import { type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Budget } from './budget.ts';
import { type Bounds, type ClientOptions, Connections } from './connections.ts';
import type { Endpoint } from './endpoint.ts';
import { type Ask, beginOf, MIB } from './exchange.ts';
import { type Listed, listed, queryOf, type Selection, type Slim } from './pages.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';
import { type ObjectName, type Resource, pathOf, pathOfObject, shownName } from './resource.ts';

export interface Write {
  /** Field manager. */
  readonly manager: string;
  readonly subresource?: string;
}

/** etcd holds at most 1.5 MiB of an object; as JSON, with all its fields managed, that may be twice as much. */
const OBJECT = 4 * MIB;
const LIST = 32 * MIB;

const CONTENT = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/**
 * Every method throws KubeRefusal when the API refuses, and Unreachable when it gives no usable answer.
 */
export class KubeClient {
  readonly #connections: Connections;
  readonly #bounds: Bounds;

  constructor(endpoint: Endpoint | Connections, options: ClientOptions = {}, bounds: Bounds = {}) {
    this.#connections = endpoint instanceof Connections ? endpoint : new Connections(endpoint, options);
    this.#bounds = bounds;
  }

  /** The same connections, with other limits. */
  bounded(bounds: Bounds): KubeClient {
    return new KubeClient(this.#connections, {}, { ...this.#bounds, ...bounds });
  }

  /** For requests of other kinds, such as port-forwards. */
  get endpoint(): Endpoint {
    return this.#connections.endpoint;
  }

  /** For watches, which keep their connection to themselves. */
  get watching(): Endpoint {
    return this.#connections.watching;
  }

  /** Of an API of somebody else. */
  get budget(): Budget | undefined {
    return this.#connections.budget;
  }

  /** How many requests were sent, watches aside. */
  get requests(): number {
    return this.#connections.requests;
  }

  /** Ends all connections; requests under way and watches fail. */
  /** When the certificate expires that the API serves with, in milliseconds since 1970; the first one, if it has several.
   * Undefined: it showed none. */
  get certificateEnds(): number | undefined {
    return this.#connections.certificateEnds;
  }

  close(): void {
    this.#connections.close();
  }

  /** @param subresource  such as `scale`, which is an object of another kind */
  async get(resource: Resource, name: ObjectName, subresource?: string): Promise<KubeObject> {
    const what = `get ${shownName(resource, name)}`;
    const path = pathOfObject(resource, name, subresource);
    return this.#object({ method: 'GET', path, what }, resource, subresource);
  }

  /** Undefined where there is none. */
  async find(resource: Resource, name: ObjectName): Promise<KubeObject | undefined> {
    try {
      return await this.get(resource, name);
    } catch (thrown) {
      if (KubeRefusal.has(thrown, 404)) return undefined;
      throw thrown;
    }
  }

  /**
   * All pages, as of one moment. A list that expires between two pages begins again once.
   * @param slim  takes parts away that nobody reads, page by page
   */
  list(resource: Resource, selection: Selection = {}, slim?: Slim): Promise<Listed> {
    const page = (path: string, what: string): Promise<JsonObject> =>
      this.#ask({ method: 'GET', path, what, most: LIST });
    const { timing, budget } = this.#connections;
    return listed({ ask: page, server: this.endpoint.server, timing, budget, slim }, resource, selection);
  }

  async create(resource: Resource, object: KubeObject, { manager }: Write): Promise<KubeObject> {
    const { namespace, name = '' } = object.metadata ?? {};
    const path = `${pathOf(resource, namespace)}?${queryOf({ fieldManager: manager })}`;
    const what = `create ${shownName(resource, { namespace, name })}`;
    return this.#object({ method: 'POST', path, what, body: object }, resource);
  }

  /** Server-side apply. @param force  takes fields of other managers over. @default false */
  async apply(
    resource: Resource,
    object: KubeObject,
    { manager, subresource, force = false }: Write & { readonly force?: boolean },
  ): Promise<KubeObject> {
    const { namespace, name = '' } = object.metadata ?? {};
    const query = queryOf({ fieldManager: manager, force: String(force) });
    const path = `${pathOfObject(resource, { namespace, name }, subresource)}?${query}`;
    const what = `apply ${shownName(resource, { namespace, name })}`;
    return this.#object(
      { method: 'PATCH', path, what, body: object, contentType: CONTENT.apply },
      resource,
      subresource,
    );
  }

  /**
   * A merge patch, or a JSON patch where the patch is a list. With `metadata.resourceVersion` in a merge patch it holds
   * only for that version, with `metadata.uid` only for that object: otherwise a KubeRefusal that `isStale`. API servers
   * ignore a uid below `status`.
   */
  async patch(
    resource: Resource,
    name: ObjectName,
    patch: JsonObject | readonly Json[],
    { manager, subresource }: Write,
  ): Promise<KubeObject> {
    const contentType = Array.isArray(patch) ? CONTENT.json : CONTENT.merge;
    const path = `${pathOfObject(resource, name, subresource)}?${queryOf({ fieldManager: manager })}`;
    const what = `change ${shownName(resource, name)}`;
    return this.#object({ method: 'PATCH', path, what, body: patch, contentType }, resource, subresource);
  }

  /**
   * Creates a subresource: an eviction, a token.
   * @param what  for messages: `evict Pod "default/web"`
   */
  async post(
    resource: Resource,
    name: ObjectName,
    subresource: string,
    body: JsonObject,
    what: string,
  ): Promise<JsonObject> {
    return this.#ask({ method: 'POST', path: pathOfObject(resource, name, subresource), what, body });
  }

  /**
   * Replaces a subresource: the approval of a certificate request, a scale.
   * @param what  for messages: `report on WorkloadNode "team-a/prod-0"`
   */
  async put(
    resource: Resource,
    name: ObjectName,
    { subresource, manager }: Required<Write>,
    body: KubeObject,
    what: string,
  ): Promise<JsonObject> {
    const path = `${pathOfObject(resource, name, subresource)}?${queryOf({ fieldManager: manager })}`;
    return this.#ask({ method: 'PUT', path, what, body });
  }

  /** One that is gone is fine. @param uid  another object of that name stays: KubeRefusal with status 409 */
  async delete(resource: Resource, name: ObjectName, uid?: string): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    };
    const what = `delete ${shownName(resource, name)}`;
    try {
      await this.#ask({ method: 'DELETE', path: pathOfObject(resource, name), what, body });
    } catch (thrown) {
      if (!KubeRefusal.has(thrown, 404)) throw thrown;
    }
  }

  /** An answer of another kind is not from a Kubernetes API: `{}` must not pass for an object without fields. */
  async #object(ask: Ask, { apiVersion, kind }: Resource, subresource = 'status'): Promise<KubeObject> {
    const object = await this.#ask(ask);
    const found = stringAt(object, 'kind');
    if (found === kind) return { ...object, apiVersion, kind };
    if (found !== undefined && subresource !== 'status')
      return { ...object, apiVersion: stringAt(object, 'apiVersion') ?? apiVersion, kind: found };
    const why = `the answer is not a ${kind}`;
    throw new Unreachable(beginOf(this.endpoint, ask), { kind: 'NotKubernetes', why });
  }

  #ask(ask: Ask): Promise<JsonObject> {
    return this.#connections.ask({ most: OBJECT, ...this.#bounds, ...ask });
  }
}
