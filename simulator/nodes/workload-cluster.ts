/**
 * A workload cluster as its machines created it: one CA, its tokens, its nodes. The Kubernetes in it is not simulated.
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
  readonly ready: boolean;
  readonly unschedulable: boolean;
}

export class WorkloadCluster {
  readonly endpoint: string;
  /** PEM of the authority that signed the certificate of the Kubernetes API, and its hash as pinned by kubeadm. */
  readonly ca: string;
  readonly caHash: string;
  readonly tokens: readonly string[];
  readonly version: string;
  /** The machine that started it. */
  readonly firstMachine: string;
  /** The cloud runs its control plane, which always responds and accepts the machines of the cloud. */
  readonly managed: boolean;
  readonly #nodes = new Map<string, Node>();

  constructor(
    parts: Pick<WorkloadCluster, 'endpoint' | 'ca' | 'caHash' | 'tokens' | 'version' | 'firstMachine'> & {
      readonly managed?: boolean;
    },
  ) {
    this.endpoint = parts.endpoint;
    this.ca = parts.ca;
    this.caHash = parts.caHash;
    this.tokens = parts.tokens;
    this.version = parts.version;
    this.firstMachine = parts.firstMachine;
    this.managed = parts.managed ?? false;
  }

  get nodes(): readonly Node[] {
    return [...this.#nodes.values()];
  }

  node(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  nodeOf(machineId: string): Node | undefined {
    return this.nodes.find((node) => node.machineId === machineId);
  }

  put(node: Node): void {
    this.#nodes.set(node.name, node);
  }

  remove(name: string): boolean {
    return this.#nodes.delete(name);
  }

  /** True while a control-plane node responds, or that of the cloud does. */
  get answers(): boolean {
    return this.managed || this.nodes.some(({ controlPlane, ready }) => controlPlane && ready);
  }
}
