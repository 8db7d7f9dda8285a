/**
 * An implementation without a cluster: a Node, its pods and etcd as plain data, and a clock that the test sets. It does
 * exactly what the decisions say.
 */
import { type Json, type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { joinTokenOf } from '#lib/node/bootstrap-token.ts';
import { decide } from '#lib/node/decide.ts';
import { FINALIZER } from '#lib/node/leaving.ts';
import type { Action, Again, Observation, Verdict } from '#lib/node/decision.ts';
import type { EtcdMember, Eviction, ServingRequest, Run, NodeSituation, Workload } from '#lib/node/situation.ts';
import { withReport } from '#lib/node/status.ts';
import type { Event, NodeScene, Player, PodScene, Scene, Stage } from './player.ts';
import { CONFIG, merged, NODE, nodeObject, otherManager, workloadNode } from './scene.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds. */
const POD_ENDS = 25;
const RUN_TAKES = 20;
/** As often as the controller looks when nothing happens. */
const POLL = 600;
const POD = 'slipway-update-1';

/**
 * @param dies  number of actions after which it stops once, in the middle of a reconcile
 * @param isDeaf  no change is told to it: it finds out when it looks the next time
 */
export function paperPlayer(dies?: number, isDeaf = false): Player {
  return {
    name: 'on paper',
    abilities: new Set(['pods', 'etcd', 'certificates', 'scripts', 'calls', 'restart', 'clock', 'forbid']),
    begin: (scene) => Promise.resolve(new PaperStage(scene, dies, isDeaf)),
  };
}

interface PaperPod extends PodScene {
  readonly evictedAt?: number;
  readonly refused: number;
}

class Died extends Error {}

class PaperStage implements Stage {
  readonly events: Event[] = [];
  readonly #scene: Scene;
  #object: KubeObject | undefined;
  /** By name. */
  readonly #nodes = new Map<string, KubeObject>();
  #config: KubeObject | undefined = CONFIG;
  #usage: KubeObject | undefined;
  #pods: readonly PaperPod[];
  #etcd: readonly EtcdMember[];
  #requests: readonly ServingRequest[];
  #runs = new Map<string, number>();
  /** By id: the second at which it expires. */
  readonly #tokens = new Map<string, number>();
  #joinToken: string | undefined;
  #isAsked = false;
  #calls = 0;
  #isStopped = false;
  #hasKubeconfig = true;
  #cutUntil = 0;
  #isForbidden = false;
  #seconds = 0;
  /** Seconds that the clock of the provider is ahead of all others. */
  #ahead = 0;
  #look = 0;
  #dies: number | undefined;
  readonly #isDeaf: boolean;

  constructor(scene: Scene, dies: number | undefined, isDeaf: boolean) {
    this.#isDeaf = isDeaf;
    this.#scene = scene;
    this.#dies = dies;
    this.#object = workloadNode(scene.spec);
    this.#pods = (scene.pods ?? []).map((pod) => ({ ...pod, refused: 0 }));
    this.#etcd = scene.etcd ?? [];
    this.#requests = scene.certificates?.requests ?? [];
    this.#joinToken = scene.joinToken;
    if (scene.oldToken !== undefined) this.#tokens.set(scene.oldToken.slice(0, 6), Infinity);
    if (scene.node !== undefined) this.#nodes.set(NODE, nodeObject(scene.node));
  }

  object = (): KubeObject | undefined => this.#object;
  node = (name = NODE): KubeObject | undefined => this.#nodes.get(name);

  pass(seconds: number): Promise<void> {
    for (const end = this.#seconds + seconds; this.#seconds < end; this.#seconds += 1) {
      if (this.#runEnds() && this.node() !== undefined && this.#scene.versionAfter !== undefined)
        this.#patch(NODE, { status: { nodeInfo: { kubeletVersion: this.#scene.versionAfter } } });
      if (this.#seconds >= this.#look) this.#lookOnce();
    }
    return Promise.resolve();
  }

  edit(spec: JsonObject): void {
    if (this.#object !== undefined) this.#changed(() => (this.#object = merged(this.#object!, { spec })));
  }

  mark(metadata: JsonObject): void {
    if (this.#object !== undefined) this.#changed(() => (this.#object = merged(this.#object!, { metadata })));
  }

  delete(): void {
    const deletionTimestamp = this.#stamp;
    if (this.#object?.metadata?.finalizers === undefined) this.#gone();
    else this.#changed(() => (this.#object = merged(this.#object!, { metadata: { deletionTimestamp } })));
  }

  register(node: NodeScene, name = NODE): void {
    this.#changed(() => this.#nodes.set(name, nodeObject(node, false, undefined, name)));
  }

  change(node: NodeScene): void {
    this.#changed(() => this.#patch(NODE, nodeObject(node, true, this.#stamp)));
  }

  loseNode(name = NODE): void {
    if (name === NODE) this.events.push('Node deleted');
    this.#changed(() => this.#nodes.delete(name));
  }

  stopMachine(): void {
    this.#isStopped = true;
    const conditions = [{ type: 'Ready', status: 'Unknown', lastTransitionTime: this.#stamp }];
    this.#changed(() => this.#patch(NODE, { status: { conditions } }));
  }

  /** Nothing is kept but the objects. */
  restart(): Promise<void> {
    return Promise.resolve();
  }

  tokens(): Readonly<Record<string, number>> {
    const left = [...this.#tokens].map(([id, expires]) => [id, expires - this.#seconds] as const);
    return Object.fromEntries(left.filter(([, seconds]) => seconds > 0));
  }

  heldToken = (): string | undefined => this.#joinToken;

  bringToken(token: string): void {
    this.#changed(() => (this.#joinToken = token));
  }

  cut(seconds: number): void {
    this.#changed(() => (this.#cutUntil = this.#seconds + seconds));
  }

  forbid(): void {
    this.#changed(() => (this.#isForbidden = true));
  }

  loseKubeconfig(): void {
    this.#changed(() => (this.#hasKubeconfig = false));
  }

  deleteCluster(): void {
    this.#changed(() => (this.#config = merged(CONFIG, { metadata: { deletionTimestamp: this.#stamp } })));
  }

  setClock(seconds: number): void {
    this.#ahead += seconds;
  }

  get #now(): number {
    return START + (this.#seconds + this.#ahead) * 1000;
  }

  get #stamp(): string {
    return `${new Date(START + this.#seconds * 1000).toISOString().slice(0, 19)}Z`;
  }

  #changed(change: () => void): void {
    change();
    this.#look = this.#isDeaf ? Math.min(this.#look, this.#seconds + POLL) : this.#seconds;
  }

  #lookOnce(): void {
    if (this.#object === undefined) return;
    let situation: NodeSituation = { object: this.#object, now: this.#now };
    try {
      for (let actions = 0; actions < 20; actions += 1) {
        const decision = decide(situation);
        if ('end' in decision) return this.#conclude(decision.end);
        situation = this.#after(decision.next, situation);
        if (decision.next.do !== 'Look' && this.#dies !== undefined && this.#dies-- === 0) throw new Died();
      }
      throw new Error('a look does not come to an end');
    } catch (thrown) {
      if (!(thrown instanceof Died)) throw thrown;
      this.#look = this.#seconds + 1; // restarted, with only the stored state
    }
  }

  #conclude({ report, release, again }: Verdict): void {
    if (report !== undefined) this.#object = withReport(this.#object!, report, this.#now);
    if (release !== undefined) return this.#gone();
    this.#look = this.#seconds + Math.max(1, soonest(again, this.#runEndsIn));
  }

  #gone(): void {
    this.#object = undefined;
    this.events.push('object gone');
  }

  #after(action: Action, situation: NodeSituation): NodeSituation {
    return { ...situation, ...this.#perform(action, situation) };
  }

  #perform(action: Action, situation: NodeSituation): Partial<NodeSituation> {
    switch (action.do) {
      case 'Look':
        return this.#see(action.at);
      case 'Hold':
        this.#object = merged(this.#object!, { metadata: { finalizers: [FINALIZER] } });
        return { object: this.#object };
      case 'Name': {
        const annotations = { 'crossplane.io/external-name': action.externalName };
        this.#object = merged(this.#object!, { metadata: { annotations } });
        return { object: this.#object };
      }
      case 'Track':
        this.#usage = action.usage;
        return this.#see('Config');
      case 'Record':
      case 'Note':
        this.#object = merged(this.#object!, { status: action.status });
        return { object: this.#object };
      case 'CallStart': {
        this.events.push('called');
        const isRefused = (this.#calls += 1) <= (this.#scene.refusedCalls ?? 0);
        const call = { address: action.address, ...(isRefused ? { refusal: 'connection refused' } : {}) };
        return { calls: [...(situation.calls ?? []), call] };
      }
      case 'PatchNode': {
        const before = at(this.node(action.name), 'spec', 'unschedulable') === true;
        this.#patch(action.name, action.patch);
        const after = at(this.node(action.name), 'spec', 'unschedulable') === true;
        if (before !== after) this.events.push(after ? 'cordoned' : 'uncordoned');
        return { workload: this.#workload };
      }
      case 'Evict':
        return {
          evictions: new Map([
            ...(situation.evictions ?? []),
            ...action.pods.map((pod) => [`${pod.namespace}/${pod.name}`, this.#evict(pod.name)] as const),
          ]),
        };
      case 'RunUpdaters':
        if (this.#runs.has(action.id)) throw new Error(`update ${action.id} is run twice`);
        this.#runs.set(action.id, this.#seconds + RUN_TAKES);
        return { run: { state: 'Running', pod: POD } };
      case 'ClearRun':
        this.#object = merged(this.#object!, { status: action.status });
        return { object: this.#object };
      case 'Approve':
        this.events.push(`approved ${action.request}`);
        this.#requests = this.#requests.filter(({ name }) => name !== action.request);
        return this.#see('Certificates');
      case 'LeaveStore':
        this.events.push('left etcd');
        this.#etcd = this.#etcd.filter(({ name }) => name !== action.member.name);
        return { etcd: { members: this.#etcd }, leave: 'Left' };
      case 'AdmitToken':
      case 'ExpireToken': {
        const { tokenSecret, expiresAt } = action;
        const id = tokenSecret.slice(-6);
        const expires = (Date.parse(expiresAt) - START) / 1000;
        if (action.do === 'AdmitToken' || this.#tokens.has(id)) this.#tokens.set(id, expires);
        return { admitted: { tokenSecret, expiresAt } };
      }
      case 'RequestToken':
        if (this.#scene.refusesTokens === true) return { requested: { refusal: 'invalid token' } };
        this.#joinToken = `asked for ${action.name}, ${action.worker}, ${action.seconds}`;
        this.#isAsked = true;
        return { requested: 'Written' };
      case 'DropToken':
        if (this.#isAsked) this.#joinToken = undefined;
        return { withdrawn: true };
      case 'WithdrawToken':
        this.#tokens.delete(action.tokenSecret.slice(-6));
        return { withdrawn: true };
      default:
        action.do satisfies 'DeleteNode';
        this.events.push('Node deleted');
        this.#nodes.delete(action.name);
        return { workload: this.#workload, deleted: { because: action.because } };
    }
  }

  #evict(name: string): Eviction {
    const pod = this.#pods.find((one) => one.name === name);
    if (pod === undefined) return 'Accepted';
    if (pod.evictedAt !== undefined) throw new Error(`Pod ${name} is evicted twice`);
    const isRefused = pod.refused < (pod.refusals ?? 0);
    const next = isRefused ? { ...pod, refused: pod.refused + 1 } : { ...pod, evictedAt: this.#seconds };
    this.#pods = this.#pods.map((one) => (one === pod ? next : one));
    if (isRefused && pod.isNamespaceTerminating === true)
      return { isBudget: false, refusal: 'its namespace is being deleted, which also ends it' };
    if (isRefused) return { isBudget: true, refusal: 'its disruption budget allows none' };
    this.events.push(`evicted ${name}`);
    return 'Accepted';
  }

  #see(observation: Observation): Partial<NodeSituation> {
    const unreachable = this.#seconds < this.#cutUntil;
    switch (observation) {
      case 'Config':
        return { config: { found: this.#config, usage: this.#usage } };
      case 'StartSecret':
        return { hasStartSecret: true };
      case 'JoinToken':
        return { joinToken: joinTokenOf(this.#joinToken) };
      case 'HeldToken':
        return { heldToken: this.#joinToken === undefined ? 'Missing' : this.#isAsked ? 'Ours' : 'Theirs' };
      case 'Scripts':
        return { scripts: new Set(this.#scene.scripts) };
      case 'Workload':
        if (!this.#hasKubeconfig)
          return { workload: { cause: 'Secret "team-a/prod-kubeconfig" not found', isMissing: true } };
        if (this.#isForbidden) return { workload: { cause: 'forbidden', isMissing: false, isRefused: true } };
        return unreachable
          ? { workload: { cause: 'connection refused', isMissing: false } }
          : { workload: this.#workload };
      case 'Pods':
        return {
          pods: {
            items: this.#present.map(podObject),
            daemonSets: new Set(this.#scene.daemonSets),
            namespaces: new Map(Object.entries(this.#scene.namespaces ?? {})),
          },
        };
      case 'Volumes':
        return { volumes: this.#seconds < (this.#scene.detachedAfter ?? 0) ? [{ name: 'pv-1' }] : [] };
      case 'Certificates':
        return { certificates: { ...this.#scene.certificates, requests: this.#requests } };
      case 'Etcd':
        return { etcd: { members: this.#etcd } };
      default:
        return { run: this.#run };
    }
  }

  get #workload(): Workload {
    const managers = this.#scene.manager === true ? [otherManager()] : [];
    return { nodes: [...this.#nodes.values()], managers };
  }

  #patch(name: string, patch: unknown): void {
    this.#nodes.set(name, merged(this.#nodes.get(name)!, patch));
  }

  /** A pod on a stopped machine is told to end, and never confirms it. */
  get #present(): readonly PaperPod[] {
    return this.#pods.filter(
      ({ evictedAt }) => this.#isStopped || evictedAt === undefined || this.#seconds < evictedAt + POD_ENDS,
    );
  }

  get #run(): Run {
    const pod = POD;
    const end = this.#runs.get(stringAt(this.#object, 'spec', 'update', 'id') ?? '');
    if (end === undefined) return { state: 'None' };
    if (this.#seconds < end) return { state: 'Running', pod };
    const { failing } = this.#scene;
    const updaters = (at(this.#object, 'spec', 'update', 'updaters') ?? []) as readonly Json[];
    return failing !== undefined && updaters.includes(failing)
      ? { state: 'Failed', updater: failing, cause: 'exit code 1', pod }
      : { state: 'Succeeded', pod };
  }

  #runEnds(): boolean {
    return [...this.#runs.values()].includes(this.#seconds);
  }

  get #runEndsIn(): number {
    return Math.min(...[...this.#runs.values()].map((end) => end - this.#seconds).filter((left) => left > 0));
  }
}

function soonest({ due = Infinity, poll = Infinity }: Again, change: number): number {
  return Math.min(due, poll, change);
}

function podObject({ name, namespace = 'default', labels, annotations, daemonSet, evictedAt }: PaperPod): KubeObject {
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSet ?? '', uid: 'd', controller: true };
  const ended = evictedAt === undefined ? {} : { deletionTimestamp: new Date(START + evictedAt * 1000).toISOString() };
  const metadata = {
    namespace,
    name,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(daemonSet === undefined ? {} : { ownerReferences: [owner] }),
    ...ended,
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata };
}
