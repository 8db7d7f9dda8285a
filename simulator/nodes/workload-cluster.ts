/**
 * A workload cluster as its machines created it: one CA, the tokens that are valid, its nodes. The Kubernetes in it is not simulated.
 */
import type { Json } from '#lib/api/json.ts';

export interface Node {
  readonly name: string;
  readonly uid: string;
  readonly machineId: string;
  readonly providerID: string;
  readonly controlPlane: boolean;
  readonly version: string;
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Json[];
  /** Whether its kubelet responds. */
  readonly ready: boolean;
  readonly unschedulable: boolean;
}

export class WorkloadCluster {
  readonly endpoint: string;
  /** PEM of the authority that signed the certificate of the Kubernetes API, and its hash as pinned by kubeadm. */
  readonly ca: string;
  readonly caHash: string;
  readonly version: string;
  /** The machine that started it. */
  readonly firstMachine: string;
  /** The cloud runs its control plane, which always responds and accepts the machines of the cloud. */
  readonly managed: boolean;
  /** What k8sd accepts of who asks it for tokens; undefined: there is no k8sd. */
  readonly auth: string | undefined;
  /** By token, with the role where its kind has one: the virtual second at which it expires. */
  readonly #tokens = new Map<string, number>();
  readonly #nodes = new Map<string, Node>();
  /** Names of Nodes; undefined: not looked for since one changed. */
  #byProviderId: ReadonlyMap<string, readonly string[]> | undefined;
  #hasNetwork: boolean;

  constructor(
    parts: Pick<WorkloadCluster, 'endpoint' | 'ca' | 'caHash' | 'version' | 'firstMachine'> & {
      readonly managed?: boolean;
      readonly auth?: string | undefined;
      /** @default true */
      readonly hasNetwork?: boolean;
    },
  ) {
    this.endpoint = parts.endpoint;
    this.ca = parts.ca;
    this.caHash = parts.caHash;
    this.version = parts.version;
    this.firstMachine = parts.firstMachine;
    this.managed = parts.managed ?? false;
    this.auth = parts.auth;
    this.#hasNetwork = parts.hasNetwork ?? true;
  }

  /** Whether its pods have a network: no Node is Ready without one. */
  get hasNetwork(): boolean {
    return this.#hasNetwork;
  }

  bringNetwork(): void {
    this.#hasNetwork = true;
  }

  /** Lets machines join by it until then. */
  admit(token: string, expires: number): void {
    this.#tokens.set(token, expires);
  }

  /** Changes when a token expires; none is fine. @param id its first half */
  expire(id: string, expires: number): void {
    for (const token of this.#withId(id)) this.#tokens.set(token, expires);
  }

  withdraw(id: string): void {
    for (const token of this.#withId(id)) this.#tokens.delete(token);
  }

  /** A machine joined by it, and none does again. */
  use(token: string): void {
    this.#tokens.delete(token);
  }

  #withId(id: string): readonly string[] {
    return [...this.#tokens.keys()].filter((token) => token.split(' ').at(-1)?.startsWith(`${id}.`));
  }

  /** Tokens that are valid at that virtual second. */
  tokens(second: number): readonly string[] {
    return [...this.#tokens].filter(([, expires]) => expires > second).map(([token]) => token);
  }

  get nodes(): readonly Node[] {
    return [...this.#nodes.values()];
  }

  node(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  nodeOf(machineId: string): Node | undefined {
    return this.#nodes.values().find((node) => node.machineId === machineId);
  }

  withProviderId(providerId: string): readonly Node[] {
    this.#byProviderId ??= namesBy(this.nodes);
    return (this.#byProviderId.get(providerId) ?? []).flatMap((name) => this.#nodes.get(name) ?? []);
  }

  put(node: Node): void {
    if (this.#nodes.get(node.name)?.providerID !== node.providerID) this.#byProviderId = undefined;
    this.#nodes.set(node.name, node);
  }

  remove(name: string): boolean {
    this.#byProviderId = undefined;
    return this.#nodes.delete(name);
  }

  /** True while a control-plane node responds, or that of the cloud does. */
  get answers(): boolean {
    return this.managed || this.#nodes.values().some(({ controlPlane, ready }) => controlPlane && ready);
  }
}

function namesBy(nodes: readonly Node[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(nodes, ({ providerID }) => providerID);
  return new Map([...groups].map(([id, all]) => [id, all.map(({ name }) => name)]));
}
