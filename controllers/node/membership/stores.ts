/** Looks at the store that a Node has to leave, and takes the Node out of it: one of a cluster at a time. */
import { messageOf } from '#lib/api/errors.ts';
import { type KubeObject, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { MembershipKind, WorkloadNodeMembership } from '#lib/api/kinds/workload-node.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import type { Timing } from '#lib/kube/timing.ts';
import { configRefOf } from '#lib/node/config.ts';
import type { MemberRef } from '#lib/node/decision.ts';
import { membershipAsked, membershipOf } from '#lib/node/membership.ts';
import type { Etcd, NodeSituation } from '#lib/node/situation.ts';
import { SECRETS } from '../kinds.ts';
import { canonicalKubernetesEtcd } from './canonical-kubernetes.ts';
import { k0sEtcd } from './k0s.ts';
import { kubeadmEtcd } from './kubeadm-etcd.ts';
import { microk8sDqlite } from './microk8s.ts';
import type { Secret, Store } from './store.ts';
import { supervised } from './supervised.ts';
import { talosEtcd } from './talos.ts';

export interface StoresParts {
  readonly management: KubeClient;
  readonly timing: Timing;
  /** The WorkloadNodes of the same workload cluster. */
  readonly peersOf: (object: KubeObject) => readonly KubeObject[];
}

interface Surroundings {
  /** Of the workload cluster. */
  readonly client: KubeClient;
  /** Throws if it is not there. */
  readonly secret: () => Promise<Secret>;
  readonly timing: Timing;
  /** The WorkloadNode of the Node that is to leave. */
  readonly object: KubeObject;
  /** Those of the same workload cluster. */
  readonly peers: readonly KubeObject[];
}

const STORES: Readonly<Record<MembershipKind, (around: Surroundings) => Store>> = {
  KubeadmEtcd: kubeadmEtcd,
  K3s: ({ client }) => supervised(client, 'K3s'),
  RKE2: ({ client }) => supervised(client, 'RKE2'),
  K0s: ({ client }) => k0sEtcd(client),
  Talos: talosEtcd,
  MicroK8s: microk8sDqlite,
  CanonicalKubernetes: ({ object, ...around }) =>
    canonicalKubernetesEtcd({ ...around, own: stringAt(object, 'status', 'nodeRef', 'name') ?? '' }),
};

export class Stores {
  readonly #parts: StoresParts;
  /** By ProviderConfig: the end of the last one that left. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** By uid: objects whose Node has left, which their status may not say yet. */
  readonly #left = new Set<string>();

  constructor(parts: StoresParts) {
    this.#parts = parts;
  }

  /** @param client  of the workload cluster; undefined: it was not reached */
  async see(object: KubeObject, client: KubeClient | undefined): Promise<Etcd> {
    if (client === undefined) return { cause: 'the workload cluster was not reached', isMissing: false };
    try {
      return { members: await this.#storeOf(object, client).members() };
    } catch (thrown) {
      return { cause: messageOf(thrown), isMissing: false };
    }
  }

  /** Looks again right before; what it then sees is part of the result. Throws nothing. */
  async leave(
    object: KubeObject,
    client: KubeClient,
    member: MemberRef,
  ): Promise<Pick<NodeSituation, 'etcd' | 'leave'>> {
    return this.#alone(object, async () => {
      const etcd = await this.see(object, client);
      if (etcd === 'NotPlayed' || 'cause' in etcd) return { etcd };
      const membership = membershipOf(member, etcd.members, membershipAsked(object)?.kind);
      if (membership.way !== 'Leave') return { etcd };
      try {
        const left = await this.#storeOf(object, client).leave(membership);
        if (left === 'Left') this.#left.add(object.metadata?.uid ?? '');
        if (left === 'Left') return { etcd, leave: left };
        return { etcd: await this.see(object, client) };
      } catch (thrown) {
        return { etcd, leave: { refusal: messageOf(thrown) } };
      }
    });
  }

  async #alone<T>(object: KubeObject, act: () => Promise<T>): Promise<T> {
    const { kind, namespace = '', name } = configRefOf(object);
    const key = `${kind} ${namespace}/${name}`;
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(act, act);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }

  #storeOf(object: KubeObject, client: KubeClient): Store {
    const asked = membershipAsked(object) ?? { kind: 'KubeadmEtcd' };
    const { timing } = this.#parts;
    const peers = this.#parts.peersOf(object).map((peer) => this.#withLeft(peer));
    return STORES[asked.kind]({ client, timing, object, peers, secret: () => this.#secret(object, asked) });
  }

  #withLeft(peer: KubeObject): KubeObject {
    return this.#left.has(peer.metadata?.uid ?? '') ? { ...peer, status: { ...peer.status, leftStore: true } } : peer;
  }

  async #secret(object: KubeObject, { secretRef }: WorkloadNodeMembership): Promise<Secret> {
    const namespace = object.metadata?.namespace ?? '';
    const name = secretRef?.name ?? `${stringAt(object, 'spec', 'clusterRef', 'name') ?? ''}-etcd`;
    const secret = await this.#parts.management.find(SECRETS, { namespace, name });
    if (secret === undefined) throw new Error(`Secret "${namespace}/${name}" not found`);
    const data = isJsonObject(secret['data']) ? secret['data'] : {};
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? decoded(value) : '']),
    );
  }
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
