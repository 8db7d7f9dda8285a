/**
 * A fake of the "External" package runtime of Crossplane: runs every active function revision from its layers in the
 * registry and reports its endpoint; reports provider revisions as running, because ../cloud replaces them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Api, refOf } from '../lab/api.ts';
import { type Crossplane, secret } from '../lab/crossplane.ts';
import type { Processes } from '../lab/processes.ts';
import type { Registry } from '../lab/registry.ts';
import { pause } from '../lab/waiting.ts';
import { FunctionProcess } from './function-process.ts';
import { rootOf } from './root.ts';

const MANAGER = 'package-runtime';
const PACKAGES_V1 = 'pkg.crossplane.io/v1';
/** A replaced revision finishes calls in progress before it ends. */
const GRACE_MS = 5_000;

export interface RuntimeParts {
  readonly api: Api;
  readonly registry: Registry;
  readonly crossplane: Crossplane;
  readonly processes: Processes;
  readonly folder: string;
}

export class PackageRuntime {
  readonly #parts: RuntimeParts;
  readonly #functions = new Map<string, FunctionProcess>();
  readonly #retiring = new Set<FunctionProcess>();
  readonly #begun = new Set<string>();
  #addresses = 0;
  readonly #stopped = new AbortController();
  /** Errors while starting a revision, by its name. */
  readonly errors = new Map<string, string>();

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    mkdirSync(parts.folder, { recursive: true });
    for (const kind of ['FunctionRevision', 'ProviderRevision']) {
      parts.api.watch(
        { apiVersion: PACKAGES_V1, kind },
        ({ type, object }) =>
          void this.#look(object, type === 'gone' || stringAt(object, 'spec', 'desiredState') !== 'Active'),
        this.#stopped.signal,
      );
    }
  }

  /** Running functions by package name: function-cluster. */
  get functions(): ReadonlyMap<string, FunctionProcess> {
    return new Map([...this.#functions.values()].map((process) => [packageOf(process.name), process]));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([...this.#functions.values(), ...this.#retiring].map((process) => process.stop()));
  }

  async #look(revision: KubeObject, over: boolean): Promise<void> {
    const name = revision.metadata?.name ?? '';
    if (over) return this.#retire(name);
    if (this.#begun.has(name)) return;
    this.#begun.add(name);
    try {
      await (revision.kind === 'FunctionRevision' ? this.#runFunction(revision) : this.#reportProvider(revision));
      this.errors.delete(name);
    } catch (thrown) {
      this.#begun.delete(name);
      this.errors.set(name, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  async #runFunction(revision: KubeObject): Promise<void> {
    const { registry, crossplane, processes, folder, api } = this.#parts;
    const name = revision.metadata?.name ?? '';
    const address = `127.0.1.${++this.#addresses}`;
    const image = stringAt(revision, 'spec', 'image') ?? '';
    const root = await rootOf(registry, image, join(folder, 'layers'), join(folder, 'roots', name));
    const certificates = await crossplane.authority.issue(name, { ip: [address] });
    const ca = crossplane.authority.cert;
    const process = new FunctionProcess(name, address, root, { ...certificates, ca }, processes);
    this.#functions.set(name, process);
    await this.#writeSecret(`${name}-server`, certificates.cert, certificates.key);
    await api.applyStatus(refOf(revision), MANAGER, {
      endpoint: process.endpoint,
      tlsServerSecretName: `${name}-server`,
      conditions: [healthy()],
    });
  }

  async #reportProvider(revision: KubeObject): Promise<void> {
    const name = revision.metadata?.name ?? '';
    const { cert, key } = await this.#parts.crossplane.authority.issue(name, { dns: [name] });
    await this.#writeSecret(`${name}-server`, cert, key);
    await this.#writeSecret(`${name}-client`, cert, key);
    await this.#parts.api.applyStatus(refOf(revision), MANAGER, {
      tlsServerSecretName: `${name}-server`,
      tlsClientSecretName: `${name}-client`,
      conditions: [healthy()],
    });
  }

  async #writeSecret(name: string, cert: string, key: string): Promise<void> {
    const { api, crossplane } = this.#parts;
    await api.apply(secret(name, { 'tls.crt': cert, 'tls.key': key, 'ca.crt': crossplane.authority.cert }));
  }

  /** A revision may be needed again later: a release is rolled back. */
  async #retire(name: string): Promise<void> {
    this.#begun.delete(name);
    const process = this.#functions.get(name);
    if (process === undefined) return;
    this.#functions.delete(name);
    this.#retiring.add(process);
    await pause(GRACE_MS);
    await process.stop();
    this.#retiring.delete(process);
  }
}

function healthy(): object {
  const lastTransitionTime = new Date().toISOString();
  return { type: 'RuntimeHealthy', status: 'True', reason: 'HealthyPackageRevision', lastTransitionTime };
}

/** `slipway-function-cluster-1a2b3c4d5e6f` → `function-cluster`. */
function packageOf(revision: string): string {
  return revision.replace(/^slipway-/, '').replace(/-[0-9a-f]+$/, '');
}
