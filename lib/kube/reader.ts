/** Reads objects of a Kubernetes API as plain JSON. It lists and never writes. */
import { type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The API answered, and not with what was asked for. */
export class KubeRefusal extends SlipwayError {
  /** HTTP status. */
  readonly status: number;

  constructor(status: number, message: string) {
    super('Unavailable', message);
    this.status = status;
  }
}

/** Where the API is and how to be let in; `lib/kube/connect.ts` reads both from a kubeconfig. */
export interface Endpoint {
  /** Base address, such as https://api.example.org:6443. */
  readonly server: string;
  /** Certificates and headers for every request. */
  readonly credentials: RequestOptions;
}

const PAGE = 500;
const TIMEOUT_MS = 30_000;

interface Resource {
  readonly plural: string;
  readonly namespaced: boolean;
}

export class KubeReader {
  readonly #endpoint: Endpoint;
  readonly #groups = new Map<string, Promise<ReadonlyMap<string, Resource>>>();

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /**
   * Objects of a kind, in the order of the API; none where the kind is not served.
   * @param namespace left out, or for a kind without namespaces: all there are
   * Throws KubeRefusal when the API refuses, SlipwayError Unavailable when it cannot be reached.
   */
  async list({ apiVersion, kind }: Kind, namespace?: string): Promise<readonly KubeObject[]> {
    const resource = (await this.#resources(apiVersion)).get(kind);
    if (resource === undefined) return [];
    const within = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    const path = `${basePath(apiVersion)}${within}/${resource.plural}`;
    const objects: KubeObject[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const query: string = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
      const page = await this.#get(`${path}?limit=${PAGE}${query}`, `list ${kind}`);
      const items = at(page, 'items');
      for (const item of Array.isArray(items) ? (items as readonly unknown[]) : [])
        if (isJsonObject(item)) objects.push({ ...item, apiVersion, kind });
      next = stringAt(page, 'metadata', 'continue');
    }
    return objects;
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

  async #get(path: string, what: string): Promise<unknown> {
    const { server, credentials } = this.#endpoint;
    const { status, text } = await fetched(new URL(`${server.replace(/\/$/, '')}${path}`), credentials, what);
    const body = parsed(text);
    if (status >= 200 && status < 300 && isJsonObject(body)) return body;
    const cause = stringAt(body, 'message') ?? `HTTP ${status}`;
    throw new KubeRefusal(status, `cannot ${what} at "${server}": ${cause}`);
  }
}

function basePath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function fetched(
  url: URL,
  credentials: RequestOptions,
  what: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const request = url.protocol === 'http:' ? requestPlain : requestTls;
  const headers = { ...(credentials.headers as Record<string, string> | undefined), accept: 'application/json' };
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(new SlipwayError('Unavailable', `cannot ${what} at "${url.origin}": ${cause.message}`, { cause }));
    const sent = request(url, { ...credentials, headers, timeout: TIMEOUT_MS }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    sent.on('error', fail);
    sent.end();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
