/**
 * A fake of the "External" package runtime of Crossplane: runs every active revision of a function or provider from its
 * layers in the registry, and reports it. Providers of a cloud have no code here: ../cloud replaces them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { refOf } from '../lab/api.ts';
import { type Crossplane, secret } from '../lab/crossplane.ts';
import type { Kubernetes } from '../lab/kubernetes.ts';
import type { Processes } from '../lab/processes.ts';
import type { Registry } from '../lab/registry.ts';
import { pause } from '../lab/waiting.ts';
import type { Addresses } from '../workload/addresses.ts';
import { FunctionProcess } from './function-process.ts';
import type { PackageProcess } from './package-process.ts';
import { ProviderProcess } from './provider-process.ts';
import { type Root, rootOf } from './root.ts';

const MANAGER = 'package-runtime';
const PACKAGES_V1 = 'pkg.crossplane.io/v1';
/** A replaced revision finishes calls in progress before it ends. */
const GRACE_MS = 5_000;

export interface RuntimeParts {
  readonly kubernetes: Kubernetes;
  readonly kubectl: string;
  readonly registry: Registry;
  readonly crossplane: Crossplane;
  readonly processes: Processes;
  /** Of workload clusters, which providers reach. */
  readonly addresses: Addresses;
  readonly folder: string;
}

export class PackageRuntime {
  readonly #parts: RuntimeParts;
  readonly #functions = new Map<string, FunctionProcess>();
  readonly #providers = new Map<string, ProviderProcess>();
  readonly #retiring = new Set<PackageProcess>();
  readonly #begun = new Set<string>();
  #addresses = 0;
  readonly #stopped = new AbortController();
  /** Errors while starting a revision, by its name. */
  readonly errors = new Map<string, string>();

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    mkdirSync(parts.folder, { recursive: true });
    for (const kind of ['FunctionRevision', 'ProviderRevision']) {
      parts.kubernetes.api.watch(
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

  /** Running providers by package name: provider-node. */
  get providers(): ReadonlyMap<string, ProviderProcess> {
    return new Map([...this.#providers.values()].map((process) => [packageOf(process.name), process]));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    const all = [...this.#functions.values(), ...this.#providers.values(), ...this.#retiring];
    await Promise.all(all.map((process) => process.stop()));
  }

  async #look(revision: KubeObject, over: boolean): Promise<void> {
    const name = revision.metadata?.name ?? '';
    if (over) return this.#retire(name);
    if (this.#begun.has(name)) return;
    this.#begun.add(name);
    try {
      await (revision.kind === 'FunctionRevision' ? this.#runFunction(revision) : this.#runProvider(revision));
      this.errors.delete(name);
    } catch (thrown) {
      this.#begun.delete(name);
      this.errors.set(name, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  async #runFunction(revision: KubeObject): Promise<void> {
    const { crossplane, processes, kubernetes } = this.#parts;
    const name = revision.metadata?.name ?? '';
    const address = this.#newAddress();
    const root = await this.#root(revision);
    const certificates = await crossplane.authority.issue(name, { ip: [address] });
    const ca = crossplane.authority.cert;
    const process = new FunctionProcess(name, address, root, { ...certificates, ca }, processes);
    this.#functions.set(name, process);
    await this.#writeSecret(`${name}-server`, certificates.cert, certificates.key);
    await kubernetes.api.applyStatus(refOf(revision), MANAGER, {
      endpoint: process.endpoint,
      tlsServerSecretName: `${name}-server`,
      conditions: [healthy()],
    });
  }

  async #runProvider(revision: KubeObject): Promise<void> {
    const name = revision.metadata?.name ?? '';
    const root = await this.#root(revision);
    if (root.entrypoint.length > 0) {
      const address = this.#newAddress();
      this.#providers.set(name, await ProviderProcess.start({ ...this.#parts, revision, address, root }));
    }
    await this.#reportProvider(revision, name);
  }

  async #reportProvider(revision: KubeObject, name: string): Promise<void> {
    const { cert, key } = await this.#parts.crossplane.authority.issue(name, { dns: [name] });
    await this.#writeSecret(`${name}-server`, cert, key);
    await this.#writeSecret(`${name}-client`, cert, key);
    await this.#parts.kubernetes.api.applyStatus(refOf(revision), MANAGER, {
      tlsServerSecretName: `${name}-server`,
      tlsClientSecretName: `${name}-client`,
      conditions: [healthy()],
    });
  }

  #root(revision: KubeObject): Promise<Root> {
    const { registry, folder } = this.#parts;
    const image = stringAt(revision, 'spec', 'image') ?? '';
    return rootOf(registry, image, join(folder, 'layers'), join(folder, 'roots', revision.metadata?.name ?? ''));
  }

  #newAddress(): string {
    this.#addresses += 1;
    return `127.0.1.${this.#addresses}`;
  }

  async #writeSecret(name: string, cert: string, key: string): Promise<void> {
    const { kubernetes, crossplane } = this.#parts;
    await kubernetes.api.apply(secret(name, { 'tls.crt': cert, 'tls.key': key, 'ca.crt': crossplane.authority.cert }));
  }

  /** A revision may be needed again later: a release is rolled back. */
  async #retire(name: string): Promise<void> {
    this.#begun.delete(name);
    const process = this.#functions.get(name) ?? this.#providers.get(name);
    if (process === undefined) return;
    this.#functions.delete(name);
    this.#providers.delete(name);
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
