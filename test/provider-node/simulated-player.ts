/**
 * The implementation of the simulator: its provider with its API server and simulated Nodes. Single pods and etcd are
 * not simulated.
 */
import { stringify } from 'yaml';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { ControlPlane } from '#simulator/control-plane.ts';
import { newCa } from '../support/booted-machines.ts';
import { certificateHash } from '#simulator/nodes/joining/certificate-hash.ts';
import { objectOf } from '#simulator/nodes/node-object.ts';
import { NodeProvider } from '#simulator/nodes/node-provider.ts';
import { type Node, WorkloadCluster } from '#simulator/nodes/workload-cluster.ts';
import { loadAll } from '#simulator/store/loader.ts';
import { refOf } from '#simulator/store/ref.ts';
import { definitions } from '../../cli/files/repository.ts';
import type { Event, NodeScene, Player, Scene, Stage } from './player.ts';
import { CONFIG, merged, NAMESPACE, NODE, otherManager, POOL_USAGE, workloadNode } from './scene.ts';

const ENDPOINT = 'api.example.org:6443';

export const simulatedPlayer: Player = {
  name: 'simulated',
  abilities: new Set(['scripts', 'calls', 'restart', 'pools']),
  begin: async (scene) => new SimulatedStage(scene, await newCa('kubernetes')),
};

/** A workload cluster that records what happens to its Nodes. */
class WatchedCluster extends WorkloadCluster {
  readonly events: Event[] = [];
  readonly #admitted = new Map<string, number>();

  /** Its tokens, and when they expire, in virtual seconds. */
  get admitted(): readonly (readonly [token: string, expires: number])[] {
    const valid = new Set(this.tokens(0));
    return [...this.#admitted].filter(([token]) => valid.has(token));
  }

  override admit(token: string, expires: number): void {
    this.#admitted.set(token, expires);
    super.admit(token, expires);
  }

  override expire(id: string, expires: number): void {
    for (const token of this.#admitted.keys()) if (token.startsWith(id)) this.#admitted.set(token, expires);
    super.expire(id, expires);
  }

  override put(node: Node): void {
    const before = this.node(node.name)?.unschedulable ?? node.unschedulable;
    if (before !== node.unschedulable) this.events.push(node.unschedulable ? 'cordoned' : 'uncordoned');
    super.put(node);
  }

  override remove(name: string): boolean {
    this.events.push('Node deleted');
    return super.remove(name);
  }
}

class SimulatedStage implements Stage {
  readonly #plane: ControlPlane;
  readonly #cluster: WatchedCluster;
  readonly #clusters = new Map<string, WorkloadCluster>();
  readonly #provider: NodeProvider;
  readonly #object = workloadNode();
  #isRunning = true;
  #calls = 0;

  constructor(scene: Scene, ca: string) {
    this.#plane = new ControlPlane({
      start: new Date('2026-01-01T00:00:00Z'),
      seed: 1,
      functions: (name) => {
        throw new Error(`${name} is called, and nothing here has a pipeline`);
      },
    });
    const parts = { endpoint: ENDPOINT, ca, caHash: certificateHash(ca), version: 'v1.35.4' };
    this.#cluster = new WatchedCluster({ ...parts, firstMachine: 'cp', managed: true, auth: 'FAKE' });
    this.#clusters.set(ENDPOINT, this.#cluster);
    if (scene.node !== undefined) this.#cluster.put(aNode(scene.node));
    if (scene.oldToken !== undefined) this.#cluster.admit(scene.oldToken, Infinity);
    const { store, clock, dice, journal } = this.#plane;
    loadAll(store, definitions());
    this.#provider = new NodeProvider({
      store,
      clock,
      dice,
      journal,
      clusters: this.#clusters,
      isRunning: () => this.#isRunning,
      call: () => this.#call(scene.refusedCalls ?? 0),
      onNodes: () => this.#provider.lookAtAll(),
      failing: scene.failing === undefined ? 0 : 1,
    });
    store.onChange(({ type, object }) => {
      if (type === 'deleted' && object.metadata?.name === NODE && object.kind === 'WorkloadNode')
        this.#cluster.events.push('object gone');
    });
    const managers = scene.manager === true ? [otherManager()] : [];
    const others = [CONFIG, ...credentials(ca, scene), ...scripts(scene), ...managers];
    for (const object of [...others, workloadNode(scene.spec)]) store.apply(object, { manager: 'person' });
    for (const object of managers)
      store.updateStatus({ ...store.get(refOf(object)), status: object.status ?? {} }, 'person');
    if (scene.joinToken !== undefined) this.bringToken(scene.joinToken);
  }

  get events(): readonly Event[] {
    return this.#cluster.events;
  }

  async pass(seconds: number): Promise<void> {
    const { clock } = this.#plane;
    const end = clock.seconds + seconds;
    while ((clock.next ?? Infinity) <= end) await clock.step();
    clock.advanceTo(end);
  }

  object(): KubeObject | undefined {
    return this.#plane.store.find(refOf(this.#object));
  }

  node(name = NODE): KubeObject | undefined {
    const node = this.#cluster.node(name);
    return node && objectOf(node, this.#isRunning, this.#plane.clock.stamp);
  }

  edit(spec: JsonObject): void {
    this.#plane.store.update(merged(this.#plane.store.get(refOf(this.#object)), { spec }), 'person');
  }

  mark(metadata: JsonObject): void {
    this.#plane.store.update(merged(this.#plane.store.get(refOf(this.#object)), { metadata }), 'person');
  }

  delete(): void {
    this.#plane.store.delete(refOf(this.#object));
  }

  register(node: NodeScene, name = NODE): void {
    this.#put(aNode(node, name));
  }

  change(node: NodeScene): void {
    const present = this.#cluster.node(NODE);
    if (present !== undefined) this.#put({ ...present, ...node });
  }

  loseNode(name = NODE): void {
    this.#cluster.remove(name);
    this.#provider.lookAtAll();
  }

  stopMachine(): void {
    this.#isRunning = false;
    this.change({ ready: false });
  }

  restart(): Promise<void> {
    this.#provider.stop(1);
    return Promise.resolve();
  }

  cut(seconds: number): void {
    this.#clusters.delete(ENDPOINT);
    this.#plane.clock.after(seconds, () => void this.#clusters.set(ENDPOINT, this.#cluster));
  }

  loseKubeconfig(): void {
    this.#plane.store.delete({ apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name: 'prod-kubeconfig' });
  }

  deleteCluster(): void {
    this.#plane.store.delete(refOf(CONFIG));
    this.loseKubeconfig();
  }

  addPoolUsage(): void {
    this.#plane.store.apply(POOL_USAGE, { manager: 'person' });
  }

  deletePoolUsage(): void {
    this.#plane.store.delete(refOf(POOL_USAGE));
  }

  poolUsage(): KubeObject | undefined {
    return this.#plane.store.find(refOf(POOL_USAGE));
  }

  tokens(): Readonly<Record<string, number>> {
    const left = this.#cluster.admitted.map(
      ([token, end]) => [token.slice(0, 6), end - this.#plane.clock.seconds] as const,
    );
    return Object.fromEntries(left.filter(([, seconds]) => seconds > 0));
  }

  heldToken(): string | undefined {
    const object = { apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name: 'general-0-join-token' };
    const text = stringAt(this.#plane.store.find(object), 'data', 'token');
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
  }

  bringToken(token: string): void {
    this.#plane.store.apply(secret('general-0-join-token', { token }), { manager: 'person' });
  }

  #put(node: Node): void {
    this.#cluster.put(node);
    this.#provider.lookAtAll();
  }

  #call(refused: number): string | undefined {
    this.#cluster.events.push('called');
    this.#calls += 1;
    return this.#calls <= refused ? 'connection refused' : undefined;
  }
}

function aNode(scene: NodeScene, name = NODE): Node {
  return {
    name,
    uid: name === NODE ? 'node-1' : name,
    machineId: name === NODE ? 'machine-1' : name,
    providerID: `cloud:///${name}`,
    controlPlane: false,
    version: 'v1.35.4',
    address: '10.0.0.7',
    labels: {},
    annotations: {},
    taints: [],
    ready: true,
    unschedulable: false,
    ...scene,
  };
}

function credentials(ca: string, { refusesTokens }: Scene): readonly KubeObject[] {
  const cluster = { server: `https://${ENDPOINT}`, 'certificate-authority-data': base64(ca) };
  return [
    secret('prod-kubeconfig', { value: stringify({ clusters: [{ name: 'prod', cluster }] }) }),
    secret('prod-capi-auth-token', { token: refusesTokens === true ? 'ANOTHER' : 'FAKE' }),
    secret('prod-talosconfig', { talosconfig: 'contexts: {}' }),
  ];
}

function scripts({ scripts: names = [], versionAfter }: Scene): readonly KubeObject[] {
  const text = versionAfter === undefined ? 'true' : `version='${versionAfter.slice(1)}'`;
  return [secret('general-0-update', Object.fromEntries(names.map((name) => [name, text])))];
}

function secret(name: string, data: Readonly<Record<string, string>>): KubeObject {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: NAMESPACE }, data: encoded };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
