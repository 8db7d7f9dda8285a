/** The Kubernetes API of the lab: objects by kind and name, watches that reconnect, plain JSON. */
import { Agent, type RequestOptions, request } from 'node:https';
import { KubeConfig, Watch } from '@kubernetes/client-node';
import { type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { pause } from './waiting.ts';

export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface Selection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface WatchEvent {
  readonly type: 'present' | 'gone';
  readonly object: KubeObject;
  /** Further events of the same list follow: until the last of them, objects are from two different moments. */
  readonly more: boolean;
}

export class ApiRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Deletion {
  readonly gracePeriodSeconds?: number;
  /** Left out: Background. */
  readonly propagationPolicy?: 'Foreground' | 'Orphan';
}

const WATCH_SECONDS = 290;
const MERGE_PATCH = 'application/merge-patch+json';

export class Api {
  readonly config: KubeConfig;
  readonly #resources = new Map<string, { readonly plural: string; readonly namespaced: boolean }>();
  readonly #credentials: Promise<RequestOptions>;

  readonly #kubeconfig: string;

  /** @param as  whom the user of the kubeconfig acts for, and groups; undefined: for itself */
  constructor(kubeconfig: string, as?: readonly [user: string, ...groups: readonly string[]]) {
    this.config = new KubeConfig();
    this.config.loadFromFile(kubeconfig);
    this.#kubeconfig = kubeconfig;
    this.#credentials = credentialsOf(this.config, as);
  }

  /** The same API for another user. */
  as(user: string, ...groups: readonly string[]): Api {
    return new Api(this.#kubeconfig, [user, ...groups, 'system:authenticated']);
  }

  async find(ref: Ref): Promise<KubeObject | undefined> {
    try {
      return await this.get(ref);
    } catch (thrown) {
      if (thrown instanceof ApiRefusal && thrown.status === 404) return undefined;
      throw thrown;
    }
  }

  async get(ref: Ref): Promise<KubeObject> {
    return objectOf(await this.#call('GET', await this.#path(ref)));
  }

  /** An empty list if the kind itself does not exist. */
  async list(selection: Selection): Promise<readonly KubeObject[]> {
    const path = await this.#kindPath(selection);
    if (path === undefined) return [];
    const labels = Object.entries(selection.labels ?? {}).map(([key, value]) => `${key}=${value}`);
    const query = labels.length === 0 ? '' : `?labelSelector=${encodeURIComponent(labels.join(','))}`;
    const answer = await this.#call('GET', `${path}${query}`);
    return itemsOf(answer, selection);
  }

  /** Server-side apply like kubectl, for every object in turn. */
  async apply(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const path = await this.#path(refOf(object));
      await this.#call('PATCH', `${path}?fieldManager=kubectl&force=true`, object, 'application/apply-patch+yaml');
    }
  }

  async patch(ref: Ref, patch: unknown, manager = 'kubectl'): Promise<KubeObject> {
    const path = `${await this.#path(ref)}?fieldManager=${manager}`;
    return objectOf(await this.#call('PATCH', path, patch, MERGE_PATCH));
  }

  async patchStatus(ref: Ref, status: unknown, manager = 'kubectl'): Promise<KubeObject> {
    const path = `${await this.#path(ref)}/status?fieldManager=${manager}`;
    return objectOf(await this.#call('PATCH', path, { status }, MERGE_PATCH));
  }

  /**
   * Server-side apply of status with a field manager of its own: lists with keys are merged, so the entries of others
   * stay.
   */
  async applyStatus(ref: Ref, manager: string, status: unknown): Promise<void> {
    const { apiVersion, kind, name, namespace } = ref;
    const object = { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, status };
    const path = `${await this.#path(ref)}/status?fieldManager=${manager}&force=true`;
    await this.#call('PATCH', path, object, 'application/apply-patch+yaml');
  }

  /** Like `kubectl delete --wait=false`; a missing object is fine. */
  async delete(ref: Ref, options: Deletion = {}): Promise<void> {
    try {
      await this.#call('DELETE', await this.#path(ref), { propagationPolicy: 'Background', ...options });
    } catch (thrown) {
      if (!(thrown instanceof ApiRefusal) || thrown.status !== 404) throw thrown;
    }
  }

  async raw(path: string): Promise<string> {
    return JSON.stringify(await this.#call('GET', path));
  }

  /**
   * All objects of a kind, now and until the signal: the kind may not exist yet, the server may be unavailable for a
   * while; objects that were deleted meanwhile are reported as deleted.
   */
  watch(selection: Selection, listener: (event: WatchEvent) => void, signal: AbortSignal): void {
    void this.#watchForEver(selection, listener, signal);
  }

  async #watchForEver(selection: Selection, listener: (event: WatchEvent) => void, signal: AbortSignal): Promise<void> {
    const known = new Map<string, KubeObject>();
    const tell = (event: WatchEvent): void => {
      const uid = event.object.metadata?.uid ?? '';
      if (event.type === 'gone') known.delete(uid);
      else known.set(uid, event.object);
      listener(event);
    };
    while (!signal.aborted) {
      try {
        await this.#listAndWatch(selection, known, tell, signal);
      } catch {
        // The server is unavailable, or the kind does not exist yet.
      }
      await pause(500);
    }
  }

  async #listAndWatch(
    selection: Selection,
    known: ReadonlyMap<string, KubeObject>,
    tell: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const path = await this.#kindPath(selection);
    if (path === undefined) return;
    const answer = await this.#call('GET', path);
    const items = itemsOf(answer, selection);
    const present = new Set(items.map((object) => object.metadata?.uid));
    const vanished = known.values().filter(({ metadata }) => !present.has(metadata?.uid));
    const events = [
      ...vanished.toArray().map((object) => ({ type: 'gone', object }) as const),
      ...items.map((object) => ({ type: 'present', object }) as const),
    ];
    for (const [index, event] of events.entries()) tell({ ...event, more: index < events.length - 1 });
    const resourceVersion = stringAt(answer, 'metadata', 'resourceVersion');
    const query = { resourceVersion, timeoutSeconds: WATCH_SECONDS };
    const over = Promise.withResolvers<void>();
    const onEvent = (phase: string, object: KubeObject): void => {
      if (phase === 'ERROR') return over.resolve();
      if (phase !== 'BOOKMARK') tell({ type: phase === 'DELETED' ? 'gone' : 'present', object, more: false });
    };
    const controller = await new Watch(this.config).watch(path, query, onEvent, () => over.resolve());
    const abort = (): void => controller.abort();
    signal.addEventListener('abort', abort, { once: true });
    await over.promise;
    signal.removeEventListener('abort', abort);
  }

  async #path(ref: Ref): Promise<string> {
    const path = await this.#kindPath(ref);
    if (path === undefined) throw new ApiRefusal(404, `no kind ${ref.kind} in ${ref.apiVersion}`);
    return `${path}/${ref.name}`;
  }

  async #kindPath({ apiVersion, kind, namespace }: Omit<Selection, 'labels'>): Promise<string | undefined> {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resource = await this.#resource(base, kind);
    if (resource === undefined) return undefined;
    const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
    return `${base}${scope}/${resource.plural}`;
  }

  async #resource(base: string, kind: string): Promise<{ plural: string; namespaced: boolean } | undefined> {
    const key = `${base} ${kind}`;
    const known = this.#resources.get(key);
    if (known !== undefined) return known;
    let answer: unknown;
    try {
      answer = await this.#call('GET', base);
    } catch (thrown) {
      if (thrown instanceof ApiRefusal && thrown.status === 404) return undefined;
      throw thrown;
    }
    const resources = at(answer, 'resources');
    for (const each of Array.isArray(resources) ? resources : []) {
      const [name, itsKind] = [stringAt(each, 'name') ?? '', stringAt(each, 'kind') ?? ''];
      if (!name.includes('/'))
        this.#resources.set(`${base} ${itsKind}`, { plural: name, namespaced: at(each, 'namespaced') === true });
    }
    return this.#resources.get(key);
  }

  async #call(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<unknown> {
    const { server = '' } = this.config.getCurrentCluster() ?? {};
    const text = body === undefined ? undefined : JSON.stringify(body);
    const credentials = await this.#credentials;
    // Node.js sends no length with DELETE, and the body would be taken for the next request.
    const described =
      text === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
    const options = { ...credentials, method, headers: { ...(credentials.headers as object), ...described } };
    const asked = (): Promise<Answer> => exchange(`${server}${path}`, options, text);
    const { status, answer } = await asked().catch((thrown: unknown) => {
      if (thrown instanceof ClosedMeanwhile) return asked();
      throw thrown;
    });
    const parsed = parsedOrText(answer);
    if (status >= 200 && status < 300) return parsed;
    const message = at(parsed, 'message');
    throw new ApiRefusal(status, `${method} ${path}: ${status} ${typeof message === 'string' ? message : answer}`);
  }
}

interface Answer {
  readonly status: number;
  readonly answer: string;
}

/** The server closed a connection that was kept while the request was on its way, and has not read it. */
class ClosedMeanwhile extends Error {}

function exchange(url: string, options: RequestOptions, text: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, answer: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    call.setTimeout(30_000, () => call.destroy(new Error(`no answer from the API server to ${options.method} ${url}`)));
    call.on('error', (error) => {
      const isClosed = call.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      reject(isClosed ? new ClosedMeanwhile(error.message) : error);
    });
    call.end(text);
  });
}

export function refOf({ apiVersion, kind, metadata }: KubeObject): Ref {
  return { apiVersion, kind, namespace: metadata?.namespace, name: metadata?.name ?? '' };
}

/** One agent for all calls, so that connections are reused. */
async function credentialsOf(
  config: KubeConfig,
  [user, ...groups]: readonly [user?: string, ...groups: readonly string[]] = [],
): Promise<RequestOptions> {
  const options: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  const ca = options.ca ?? config.getCurrentCluster()?.caData;
  const trusted = typeof ca === 'string' ? Buffer.from(ca, 'base64') : ca;
  const { agent: _one, headers, ...rest } = options;
  const whose = user === undefined ? {} : { 'Impersonate-User': user, 'Impersonate-Group': groups };
  return {
    ...rest,
    headers: { ...(headers as object), ...whose },
    agent: new Agent({ keepAlive: true, ...(trusted === undefined ? {} : { ca: trusted }) }),
  };
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function objectOf(value: unknown): KubeObject {
  if (!isJsonObject(value)) throw new Error('the API server answered with something that is no object');
  return value as unknown as KubeObject;
}

/** Items of a list have no apiVersion and kind. */
function itemsOf(answer: unknown, { apiVersion, kind }: Selection): readonly KubeObject[] {
  const items = at(answer, 'items');
  return (Array.isArray(items) ? items : []).map((item) => ({ ...item, apiVersion, kind }) as KubeObject);
}
