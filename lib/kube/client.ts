/** Reads and writes objects of one Kubernetes API, over connections that stay open. */
import { Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Endpoint } from './endpoint.ts';
import { type Ask, exchange, MIB } from './exchange.ts';
import { KubeRefusal } from './refusal.ts';
import { type ObjectName, type Resource, pathOf, pathOfObject, shownName } from './resource.ts';

/** What of a kind is listed or watched; left out: all there is. */
export interface Selection {
  readonly namespace?: string | undefined;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
}

export interface Listed {
  readonly items: readonly KubeObject[];
  /** Of the list, where a watch begins. */
  readonly resourceVersion: string;
}

export interface Write {
  /** Field manager. */
  readonly manager: string;
  readonly subresource?: string;
}

const PAGE = 500;
const SOCKETS = 16;
const OBJECT = 4 * MIB;

const CONTENT = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/**
 * Every method throws KubeRefusal when the API refuses, and Unreachable when it gives no usable answer.
 */
export class KubeClient {
  readonly endpoint: Endpoint;
  readonly #agent: PlainAgent;
  #requests = 0;

  constructor({ server, credentials }: Pick<Endpoint, 'server' | 'credentials'>) {
    const options = { keepAlive: true, maxSockets: SOCKETS };
    this.#agent = server.startsWith('http:') ? new PlainAgent(options) : new Agent(options);
    this.endpoint = { server, credentials, agent: this.#agent };
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** Ends all connections; requests under way fail. */
  close(): void {
    this.#agent.destroy();
  }

  async get(resource: Resource, name: ObjectName): Promise<KubeObject> {
    const what = `get ${shownName(resource, name)}`;
    return this.#object({ method: 'GET', path: pathOfObject(resource, name), what }, resource);
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

  /** All pages, as of one moment. A list that expires between two pages begins again once. */
  async list(resource: Resource, selection: Selection = {}): Promise<Listed> {
    try {
      return await this.#pages(resource, selection);
    } catch (thrown) {
      if (!KubeRefusal.has(thrown, 410)) throw thrown;
      return this.#pages(resource, selection);
    }
  }

  async create(resource: Resource, object: KubeObject, { manager }: Write): Promise<KubeObject> {
    const { namespace, name = '' } = object.metadata ?? {};
    const path = `${pathOf(resource, namespace)}?fieldManager=${manager}`;
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
    const path = pathOfObject(resource, { namespace, name }, subresource);
    const what = `apply ${shownName(resource, { namespace, name })}`;
    const query = `?fieldManager=${manager}&force=${force}`;
    return this.#object(
      { method: 'PATCH', path: `${path}${query}`, what, body: object, contentType: CONTENT.apply },
      resource,
    );
  }

  /**
   * A merge patch, or a JSON patch where the patch is a list. With `metadata.resourceVersion` or `metadata.uid` in a
   * merge patch it holds only for that object: otherwise a KubeRefusal that `isStale`.
   */
  async patch(
    resource: Resource,
    name: ObjectName,
    patch: JsonObject | readonly Json[],
    { manager, subresource }: Write,
  ): Promise<KubeObject> {
    const contentType = Array.isArray(patch) ? CONTENT.json : CONTENT.merge;
    const path = `${pathOfObject(resource, name, subresource)}?fieldManager=${manager}`;
    const what = `change ${shownName(resource, name)}`;
    return this.#object({ method: 'PATCH', path, what, body: patch, contentType }, resource);
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

  /** Writes a subresource as a whole: a status, the approval of a request. Only over the version that was read. */
  async replace(
    resource: Resource,
    name: ObjectName,
    object: KubeObject,
    subresource: 'status' | 'approval',
  ): Promise<KubeObject> {
    const what = `write the ${subresource} of ${shownName(resource, name)}`;
    return this.#object(
      { method: 'PUT', path: pathOfObject(resource, name, subresource), what, body: object },
      resource,
    );
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

  async #pages(resource: Resource, selection: Selection): Promise<Listed> {
    const items: KubeObject[] = [];
    let resourceVersion = '';
    let next: string | undefined;
    do {
      const query = queryOf({ ...selection, limit: String(PAGE), continue: next });
      const page = await this.#ask({
        method: 'GET',
        path: `${pathOf(resource, selection.namespace)}?${query}`,
        what: `list ${resource.kind}`,
      });
      const { apiVersion, kind } = resource;
      const listed = at(page, 'items');
      for (const item of Array.isArray(listed) ? (listed as readonly unknown[]) : [])
        if (isJsonObject(item)) items.push({ ...item, apiVersion, kind });
      resourceVersion = stringAt(page, 'metadata', 'resourceVersion') ?? resourceVersion;
      next = stringAt(page, 'metadata', 'continue');
    } while (next !== undefined);
    return { items, resourceVersion };
  }

  async #object(ask: Ask, { apiVersion, kind }: Resource): Promise<KubeObject> {
    return { ...(await this.#ask({ most: OBJECT, ...ask })), apiVersion, kind };
  }

  #ask(ask: Ask): Promise<JsonObject> {
    this.#requests += 1;
    return exchange(this.endpoint, ask);
  }
}

/** The part of a URL after `?`. */
export function queryOf({
  labels,
  fields,
  namespace: _path,
  ...rest
}: Selection & Readonly<Record<string, string | undefined>>): string {
  const all = { ...rest, labelSelector: labels, fieldSelector: fields };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
