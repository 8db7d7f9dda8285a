/**
 * Stands for provider-helm, whose code cannot be had as a Go module: Releases of the management cluster, which its real
 * CRD judges, become releases of the real helm in the workload clusters that their ProviderConfigs name. It makes no
 * ProviderConfigUsages, and does not notice what others change in a workload cluster.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { messageOf, oneLine } from '#lib/api/errors.ts';
import { at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Api, ApiRefusal, type Ref, refOf } from '../lab/api.ts';
import { pause } from '../lab/waiting.ts';
import type { Addresses } from '../workload/addresses.ts';
import type { Helm, Installed, Reach } from './helm.ts';
import { merged, type Release, releaseOf, statusOf, stepFor, type ValueSource } from './release.ts';

export const RELEASE = { apiVersion: 'helm.m.crossplane.io/v1beta1', kind: 'Release' } as const;
const MANAGER = 'provider-helm';
const FINALIZER = 'finalizer.managedresource.crossplane.io';
const RETRY_MS = 2_000;

export interface ProviderHelmParts {
  /** Of the management cluster. */
  readonly api: Api;
  readonly helm: Helm;
  /** Of the servers that kubeconfigs name. */
  readonly addresses: Addresses;
  readonly folder: string;
}

interface Known {
  object: KubeObject;
  /** Of the last object that was dealt with without trouble. */
  done: string;
}

export class ProviderHelm {
  readonly #parts: ProviderHelmParts;
  readonly #known = new Map<string, Known>();
  readonly #working = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();

  constructor(parts: ProviderHelmParts) {
    this.#parts = parts;
    mkdirSync(parts.folder, { recursive: true });
    const { signal } = this.#stopped;
    parts.api.watch(RELEASE, ({ type, object }) => (type === 'gone' ? this.#gone(object) : this.#seen(object)), signal);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#working.values());
  }

  #gone({ metadata: { uid = '' } = {} }: KubeObject): void {
    this.#known.delete(uid);
  }

  #seen(object: KubeObject): void {
    const uid = object.metadata?.uid ?? '';
    const known = this.#known.get(uid);
    if (known === undefined) this.#known.set(uid, { object, done: '' });
    else known.object = object;
    if (this.#working.has(uid)) return;
    this.#working.set(
      uid,
      this.#work(uid).finally(() => this.#working.delete(uid)),
    );
  }

  /** Until nothing is left to do. What others changed in a Secret is found by trying again. */
  async #work(uid: string): Promise<void> {
    for (;;) {
      const known = this.#known.get(uid);
      if (known === undefined || this.#stopped.signal.aborted || known.done === mark(known.object)) return;
      const { object } = known;
      try {
        const isDone = await this.#reconcile(object);
        if (isDone) known.done = mark(object);
        else await pause(RETRY_MS);
      } catch {
        await pause(RETRY_MS); // the management cluster does not answer, or has another version
        const latest = await this.#parts.api.find(refOf(object)).catch(() => undefined);
        if (latest?.metadata?.uid === uid) known.object = latest;
      }
    }
  }

  async #reconcile(object: KubeObject): Promise<boolean> {
    const { deletionTimestamp, generation = 0 } = object.metadata ?? {};
    const finalizers = (at(object, 'metadata', 'finalizers') ?? []) as readonly string[];
    const release = releaseOf(object);
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(FINALIZER) && release.may('Delete')) {
        const trouble = await troubleOf('delete', () => this.#uninstall(object, release));
        if (trouble !== undefined) return this.#report(object, undefined, trouble, generation);
      }
      await this.#finalizers(
        object,
        finalizers.filter((one) => one !== FINALIZER),
      );
      return true;
    }
    if (!finalizers.includes(FINALIZER)) await this.#finalizers(object, [...finalizers, FINALIZER]);
    let installed: Installed | undefined;
    const trouble = await this.#applied(object, release, (found) => (installed = found));
    return this.#report(object, installed, trouble, generation);
  }

  /** What went wrong; undefined: the release is as it was asked for. */
  async #applied(object: KubeObject, release: Release, found: (installed: Installed | undefined) => void) {
    const { helm } = this.#parts;
    const { name, namespace, wait } = release;
    let reach: Reach | undefined;
    let values: JsonObject = {};
    let step: 'create' | 'update' | undefined;
    const before =
      (await troubleOf('connect', async () => (reach = await this.#reach(object)))) ??
      (await troubleOf('observe', async () => {
        values = await this.#values(object, release);
        const installed = await helm.installed(reach!, name, namespace);
        found(installed);
        step = stepFor(release, values, installed);
      }));
    if (before !== undefined || step === undefined) return before;
    return troubleOf(step, async () => {
      const file = await helm.pull(release.chart);
      await helm.install(reach!, { name, namespace, file, values, wait });
      found(await helm.installed(reach!, name, namespace));
    });
  }

  async #uninstall(object: KubeObject, { name, namespace }: Release): Promise<void> {
    await this.#parts.helm.uninstall(await this.#reach(object), name, namespace);
  }

  /** As the ProviderConfig says. */
  async #reach({ metadata, spec }: KubeObject): Promise<Reach> {
    const { api, addresses, folder } = this.#parts;
    const kind = stringAt(spec, 'providerConfigRef', 'kind') ?? '';
    const config = await api.get({
      apiVersion: RELEASE.apiVersion,
      kind,
      namespace: metadata?.namespace,
      name: stringAt(spec, 'providerConfigRef', 'name') ?? '',
    });
    const ref = (key: string): string => stringAt(config.spec, 'credentials', 'secretRef', key) ?? '';
    const text = await this.#text({ kind: 'Secret', name: ref('name'), key: ref('key') }, ref('namespace'));
    const file = join(folder, `${metadata?.uid ?? ''}.kubeconfig`);
    writeFileSync(file, text, { mode: 0o600 });
    const [cluster] = (at(parse(text), 'clusters') ?? []) as readonly unknown[];
    const { hostname, port } = new URL(stringAt(cluster, 'cluster', 'server') ?? '');
    const address = addresses.find(hostname);
    if (address === undefined) throw new Error(`lookup ${hostname}: no such host`);
    return { kubeconfig: file, server: `https://${address}:${port === '' ? '443' : port}`, serverName: hostname };
  }

  async #values({ metadata }: KubeObject, { values, valuesFrom }: Release): Promise<JsonObject> {
    const found: JsonObject[] = [];
    for (const source of valuesFrom) {
      const text = await this.#text(source, metadata?.namespace ?? '');
      const parsed: unknown = parse(text);
      if (!isJsonObject(parsed)) throw new Error(`key ${source.key} of ${source.kind} "${source.name}" is no object`);
      found.push(parsed);
    }
    return merged([...found, values]);
  }

  async #text({ kind, name, key }: Omit<ValueSource, 'optional'>, namespace: string): Promise<string> {
    const object = await this.#parts.api.find({ apiVersion: 'v1', kind, namespace, name });
    const text = stringAt(object, 'data', key);
    if (text === undefined) throw new Error(`${kind} "${namespace}/${name}" has no key "${key}"`);
    return kind === 'Secret' ? Buffer.from(text, 'base64').toString('utf8') : text;
  }

  async #finalizers({ metadata, ...object }: KubeObject, finalizers: readonly string[]): Promise<void> {
    const ref = refOf({ ...object, ...(metadata === undefined ? {} : { metadata }) });
    await ifThere(() => this.#parts.api.patch(ref, { metadata: { finalizers } }, MANAGER));
  }

  async #report(
    object: KubeObject,
    installed: Installed | undefined,
    trouble: string | undefined,
    generation: number,
  ): Promise<boolean> {
    const ref: Ref = refOf(object);
    const status = statusOf(installed, trouble, generation, new Date().toISOString().replace(/\.\d+/, ''));
    await ifThere(() => this.#parts.api.patchStatus(ref, status, MANAGER));
    return trouble === undefined;
  }
}

/** What a Release asks for; its status is no part of it. */
function mark({ metadata }: KubeObject): string {
  const { generation, deletionTimestamp, annotations } = metadata ?? {};
  return JSON.stringify([generation, deletionTimestamp, annotations?.['crossplane.io/external-name']]);
}

async function troubleOf(what: string, act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (thrown) {
    return `${what} failed: ${oneLine(messageOf(thrown))}`;
  }
}

async function ifThere(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    if (!(thrown instanceof ApiRefusal) || thrown.status !== 404) throw thrown;
  }
}
