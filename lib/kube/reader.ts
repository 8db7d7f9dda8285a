/** Reads objects of a Kubernetes API as plain JSON. It lists and never writes. */
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { KubeClient } from './client.ts';
import type { Endpoint } from './endpoint.ts';
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
    const { items } = await this.#client.list({ apiVersion, kind, ...resource }, { namespace });
    return items;
  }

  #resources(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    const known = this.#groups.get(apiVersion) ?? this.#discover(apiVersion);
    this.#groups.set(apiVersion, known);
    return known;
  }

  async #discover(apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
    try {
      const found = at(await this.#get(basePath(apiVersion), `find ${apiVersion}`), 'resources');
      const resources = (Array.isArray(found) ? found : []).flatMap((one): [string, Resource][] => {
        const [plural, kind] = [stringAt(one, 'name'), stringAt(one, 'kind')];
        if (plural === undefined || kind === undefined || plural.includes('/')) return [];
        return [[kind, { plural, namespaced: at(one, 'namespaced') === true }]];
      });
      return new Map(resources);
    } catch (thrown) {
      if (thrown instanceof KubeRefusal && thrown.status === 404) return new Map();
      throw thrown;
    }
  }

  #get(path: string, what: string): Promise<JsonObject> {
    return exchange(this.#client.endpoint, { method: 'GET', path, what });
  }
}
