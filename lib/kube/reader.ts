/** Reads objects of a Kubernetes API as plain JSON. It lists and never writes. */
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { KubeClient } from './client.ts';
import { type Endpoint, placeOf } from './endpoint.ts';
import { exchange } from './exchange.ts';
import { KubeRefusal } from './refusal.ts';
import { basePath, type Kind } from './resource.ts';

interface Resource {
  readonly plural: string;
  readonly namespaced: boolean;
}

export class KubeReader {
  readonly #client: KubeClient;
  readonly #groups = new Map<string, Promise<ReadonlyMap<string, Resource>>>();

  constructor(endpoint: Endpoint) {
    this.#client = new KubeClient(endpoint);
  }

  /**
   * Objects of a kind, in the order of the API; none where the kind is not served.
   * @param namespace left out, or for a kind without namespaces: all there are
   * Throws KubeRefusal when the API refuses, SlipwayError Unavailable when it cannot be reached.
   */
  async list({ apiVersion, kind }: Kind, namespace?: string): Promise<readonly KubeObject[]> {
    const resource = (await this.#resources(apiVersion)).get(kind);
    if (resource === undefined) return [];
    try {
      const { items } = await this.#client.list({ apiVersion, kind, ...resource }, { namespace });
      return items;
    } catch (thrown) {
      throw this.#plain(thrown, `list ${kind}`);
    }
  }

  /** Whether the API has the kind, such as one of a CustomResourceDefinition. */
  async serves({ apiVersion, kind }: Kind): Promise<boolean> {
    return (await this.#resources(apiVersion)).has(kind);
  }

  /** `in context "prod" at "https://api.example.org"` */
  get place(): string {
    return placeOf(this.#client.endpoint);
  }

  /** What the API says to credentials that it does not know is one word. */
  #plain(thrown: unknown, what: string): unknown {
    if (!KubeRefusal.has(thrown, 401)) return thrown;
    return new KubeRefusal(401, `cannot ${what} ${this.place}: the credentials of its user are not accepted (401)`);
  }

  #resources(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    const known = this.#groups.get(apiVersion) ?? this.#discover(apiVersion);
    this.#groups.set(apiVersion, known);
    return known;
  }

  async #discover(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    try {
      const found = at(await this.#get(basePath(apiVersion), `read ${apiVersion}`), 'resources');
      const resources = (Array.isArray(found) ? found : []).flatMap((one): [string, Resource][] => {
        const [plural, kind] = [stringAt(one, 'name'), stringAt(one, 'kind')];
        if (plural === undefined || kind === undefined || plural.includes('/')) return [];
        return [[kind, { plural, namespaced: at(one, 'namespaced') === true }]];
      });
      return new Map(resources);
    } catch (thrown) {
      if (thrown instanceof KubeRefusal && thrown.status === 404) return new Map();
      throw this.#plain(thrown, `read ${apiVersion}`);
    }
  }

  #get(path: string, what: string): Promise<JsonObject> {
    return exchange(this.#client.endpoint, { method: 'GET', path, what });
  }
}
