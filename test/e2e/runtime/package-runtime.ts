/**
 * Runs every active revision of a function or provider from its layers in the registry, and reports it. For functions it
 * is Crossplane's "External" package runtime, because their addresses are of this lab; for providers it plays the nodes
 * on which the Deployments that Crossplane makes run. Providers of a cloud have no code here: ../cloud replaces them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#lib/api/errors.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { refOf } from '../lab/api.ts';
import type { Pair } from '../lab/authority.ts';
import { type Crossplane, NAMESPACE, secret } from '../lab/crossplane.ts';
import type { Kubernetes } from '../lab/kubernetes.ts';
import type { Processes } from '../lab/processes.ts';
import type { Registry } from '../lab/registry.ts';
import { pause } from '../lab/waiting.ts';
import type { Addresses } from '../workload/addresses.ts';
import type { Recording } from '../../support/recording.ts';
import { Relay } from '../../support/relay.ts';
import { FunctionProcess } from './function-process.ts';
import type { PackageProcess } from './package-process.ts';
import { containerOf, ProviderProcess } from './provider-process.ts';
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
  /** Gets the requests of functions; undefined: Crossplane calls them directly. */
  readonly recording: Recording | undefined;
  readonly folder: string;
}

export class PackageRuntime {
  readonly #parts: RuntimeParts;
  readonly #functions = new Map<string, FunctionProcess>();
  readonly #providers = new Map<string, ProviderProcess>();
  readonly #retiring = new Set<PackageProcess>();
  readonly #relays: Relay[] = [];
  readonly #begun = new Set<string>();
  #addresses = 0;
  readonly #stopped = new AbortController();
  /** Errors while starting a revision, by its name. */
  readonly errors = new Map<string, string>();

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    mkdirSync(parts.folder, { recursive: true });
    const { api } = parts.kubernetes;
    const { signal } = this.#stopped;
    api.watch(
      { apiVersion: PACKAGES_V1, kind: 'FunctionRevision' },
      ({ type, object }) => {
        const isActive = type === 'present' && stringAt(object, 'spec', 'desiredState') === 'Active';
        void this.#look(object, isActive, () => this.#runFunction(object));
      },
      signal,
    );
    api.watch(
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: NAMESPACE },
      ({ type, object }) => void this.#look(object, type === 'present', () => this.#runProvider(object)),
      signal,
    );
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
    for (const relay of this.#relays) relay.stop();
  }

  async #look(
    { metadata: { name = '' } = {} }: KubeObject,
    isWanted: boolean,
    run: () => Promise<void>,
  ): Promise<void> {
    if (!isWanted) return this.#retire(name);
    if (this.#begun.has(name)) return;
    this.#begun.add(name);
    try {
      await run();
      this.errors.delete(name);
    } catch (thrown) {
      this.#begun.delete(name);
      this.errors.set(name, messageOf(thrown));
    }
  }

  async #runFunction(revision: KubeObject): Promise<void> {
    const { crossplane, processes, kubernetes } = this.#parts;
    const name = revision.metadata?.name ?? '';
    const address = this.#newAddress();
    const root = await this.#root(name, stringAt(revision, 'spec', 'image'));
    const certificates = await crossplane.authority.issue(name, { ip: [address] });
    const ca = crossplane.authority.cert;
    const process = new FunctionProcess(name, address, root, { ...certificates, ca }, processes);
    this.#functions.set(name, process);
    await this.#writeSecret(`${name}-server`, certificates.cert, certificates.key);
    await kubernetes.api.applyStatus(refOf(revision), MANAGER, {
      endpoint: await this.#endpoint(process, { ...certificates, ca }),
      tlsServerSecretName: `${name}-server`,
      conditions: [condition('RuntimeHealthy', 'HealthyPackageRevision')],
    });
  }

  async #runProvider(deployment: KubeObject): Promise<void> {
    const name = deployment.metadata?.name ?? '';
    const root = await this.#root(name, stringAt(containerOf(deployment), 'image'));
    if (root.entrypoint.length > 0) {
      const address = this.#newAddress();
      this.#providers.set(name, await ProviderProcess.start({ ...this.#parts, deployment, address, root }));
    }
    const replicas = at(deployment, 'spec', 'replicas');
    await this.#parts.kubernetes.api.applyStatus(refOf(deployment), MANAGER, {
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      conditions: [condition('Available', 'MinimumReplicasAvailable')],
    });
  }

  /** Where Crossplane reaches a function: itself, or what records its requests. */
  async #endpoint(
    { name, address, port }: FunctionProcess,
    { cert, key, ca }: Pair & { readonly ca: string },
  ): Promise<string> {
    const { recording } = this.#parts;
    if (recording === undefined) return `dns:///${address}:${port}`;
    const called = packageOf(name).replace('function-', '');
    const relay = await Relay.listening({
      to: `${address}:${port}`,
      at: `${address}:0`,
      tls: { cert: Buffer.from(cert), key: Buffer.from(key), ca: Buffer.from(ca) },
      answered: (request, answer) => recording.keep(called, request, answer),
    });
    this.#relays.push(relay);
    return `dns:///${address}:${relay.port}`;
  }

  #root(revision: string, image = ''): Promise<Root> {
    const { registry, folder } = this.#parts;
    return rootOf(registry, image, join(folder, 'layers'), join(folder, 'roots', revision));
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

function condition(type: string, reason: string): object {
  return { type, status: 'True', reason, lastTransitionTime: new Date().toISOString() };
}

/** `slipway-function-cluster-1a2b3c4d5e6f` → `function-cluster`. */
function packageOf(revision: string): string {
  return revision.replace(/^slipway-/, '').replace(/-[0-9a-f]+$/, '');
}
