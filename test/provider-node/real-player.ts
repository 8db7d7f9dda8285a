/**
 * The controller itself, with its real client and a clock that the test sets, between two Kubernetes APIs in memory: of
 * the management cluster, and of the workload cluster.
 */
import { stringify } from 'yaml';
import { type Json, type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { KubeClient } from '#lib/kube/client.ts';
import { EVENTS } from '#lib/kube/events.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import { REQUESTS } from '../../controllers/node/certificates/request.ts';
import { Controller } from '../../controllers/node/controller.ts';
import {
  CLUSTER_PROVIDER_CONFIGS,
  DAEMON_SETS,
  NAMESPACES,
  NODES,
  PERSISTENT_VOLUMES,
  PROVIDER_CONFIGS,
  SECRETS,
  USAGES,
  VOLUME_ATTACHMENTS,
  WORKLOAD_NODES,
} from '../../controllers/node/kinds.ts';
import { type Issuer, newIssuer } from '../support/authority.ts';
import { namespaceObject } from '../../controllers/node/updates/pod.ts';
import { LiveApi } from '../support/live-api.ts';
import { SetTiming } from '../support/set-timing.ts';
import { PlayedHost } from './played-host.ts';
import type { Event, NodeScene, Player, PodScene, Scene, Stage } from './player.ts';
import { merged, NAMESPACE, NODE, nodeObject, otherManager, POOL_USAGE, workloadNode } from './scene.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds. */
const POD_ENDS = 25;
/** Milliseconds, one by one, without any work: then nothing more is on its way. */
const QUIET = 3;

let issuer: Promise<Issuer> | undefined;
/** The APIs of every stage. */
const apis: { readonly management: LiveApi; readonly workload: LiveApi }[] = [];

/** What the controller asked for in all stages so far (`LiveApi.used`). */
export function rightsUsed(of: 'management' | 'workload'): readonly string[] {
  return [...new Set(apis.flatMap((each) => [...each[of].used]))].toSorted();
}

export const realPlayer: Player = {
  name: 'controller',
  abilities: new Set(['pods', 'scripts', 'calls', 'restart', 'answers', 'clock', 'forbid', 'pools']),
  begin: async (scene) => {
    issuer ??= newIssuer('kubernetes', 'ECDSA');
    const { cert: ca } = await issuer;
    const pair = await (await issuer).issue('api', { ip: ['127.0.0.1'] });
    const management = await LiveApi.with(
      pair,
      WORKLOAD_NODES,
      PROVIDER_CONFIGS,
      CLUSTER_PROVIDER_CONFIGS,
      USAGES,
      SECRETS,
      EVENTS,
    );
    const workload = await LiveApi.with(
      pair,
      NODES,
      PODS,
      SECRETS,
      DAEMON_SETS,
      NAMESPACES,
      VOLUME_ATTACHMENTS,
      PERSISTENT_VOLUMES,
      REQUESTS,
    );
    apis.push({ management, workload });
    return new RealStage(scene, management, workload, ca);
  },
};

class RealStage implements Stage {
  readonly events: Event[] = [];
  readonly #management: LiveApi;
  readonly #workload: LiveApi;
  readonly #timing = new SetTiming(START);
  readonly #scene: Scene;
  #controller: Controller;
  readonly #refusals = new Map<string, number>();
  readonly #ca: string;
  #isStopped = false;
  #calls = 0;

  constructor(scene: Scene, management: LiveApi, workload: LiveApi, ca: string) {
    this.#scene = scene;
    this.#management = management;
    this.#workload = workload;
    this.#ca = ca;
    const host = new PlayedHost(workload, this.#timing, scene);
    workload.onChange((before, after) => host.noted(before, after));
    this.#populate(scene, ca);
    management.onChange((before, after) => {
      if (before?.kind === 'WorkloadNode' && before.metadata?.name === NODE && after === undefined)
        this.events.push('object gone');
    });
    workload.onChange((before, after) => this.#noted(before, after));
    workload.evicting = (namespace, name) => this.#evict(namespace, name);
    this.#controller = this.#started();
  }

  object = (): KubeObject | undefined => this.#management.find('WorkloadNode', NODE, NAMESPACE);
  node = (name = NODE): KubeObject | undefined => this.#workload.find('Node', name);

  async pass(seconds: number): Promise<void> {
    const end = this.#timing.elapsed() + seconds * 1000;
    await this.#settled();
    for (let next = this.#timing.next; next !== undefined && next <= end; next = this.#timing.next) {
      this.#timing.goTo(next);
      await this.#settled();
    }
    this.#timing.goTo(end);
  }

  edit(spec: JsonObject): void {
    const object = this.object();
    if (object !== undefined) this.#management.put(merged(object, { spec }));
  }

  mark(metadata: JsonObject): void {
    const object = this.object();
    if (object !== undefined) this.#management.put(merged(object, { metadata }));
  }

  delete(): void {
    this.#management.delete('WorkloadNode', NODE, NAMESPACE, this.#stamp);
  }

  register(node: NodeScene, name = NODE): void {
    this.#workload.put(nodeObject(node, false, undefined, name));
  }

  change(node: NodeScene): void {
    this.#workload.put(merged(this.node()!, nodeObject(node, true, this.#stamp)));
  }

  loseNode(name = NODE): void {
    this.#workload.delete('Node', name);
  }

  stopMachine(): void {
    this.#isStopped = true;
    const conditions = [{ type: 'Ready', status: 'Unknown', lastTransitionTime: this.#stamp }];
    this.#workload.put(merged(this.node()!, { status: { conditions } }));
  }

  setClock(seconds: number): void {
    this.#timing.setClock(seconds);
  }

  cut(seconds: number): void {
    this.#workload.cut();
    this.#timing.after(seconds, () => void this.#workload.restore());
  }

  forbid(): void {
    this.#workload.forbid();
  }

  loseAnswer(seconds: number): void {
    this.#management.losing = (method) => {
      if (method !== 'PUT') return false;
      this.#management.losing = () => false;
      this.#timing.after(seconds, () => void this.#management.restore());
      return true;
    };
  }

  loseKubeconfig(): void {
    this.#management.delete('Secret', 'prod-kubeconfig', NAMESPACE);
  }

  deleteCluster(): void {
    this.#management.delete('ProviderConfig', 'prod', NAMESPACE, this.#stamp);
  }

  addPoolUsage(): void {
    this.#management.put(POOL_USAGE);
  }

  deletePoolUsage(): void {
    this.#management.delete(POOL_USAGE.kind, POOL_USAGE.metadata.name, NAMESPACE, this.#stamp);
  }

  poolUsage = (): KubeObject | undefined => this.#management.find(POOL_USAGE.kind, POOL_USAGE.metadata.name, NAMESPACE);

  async restart(): Promise<void> {
    await this.#controller.stop();
    this.#controller = this.#started();
  }

  #started(): Controller {
    const controller = new Controller({
      management: new KubeClient({ server: this.#management.server, credentials: { ca: this.#ca } }),
      timing: this.#timing,
      random: () => 0.5,
      rules: { local: true },
      log: () => undefined,
      callTalos: () => {
        this.events.push('called');
        const isRefused = (this.#calls += 1) <= (this.#scene.refusedCalls ?? 0);
        return Promise.resolve(isRefused ? 'connection refused' : undefined);
      },
      askToken: (_workload, auth, { name, worker, seconds }) => {
        if (this.#scene.refusesTokens === true) return Promise.reject(new Error('invalid token'));
        return Promise.resolve(`asked for ${name}, ${worker}, ${seconds} by ${auth}`);
      },
    });
    controller.start();
    return controller;
  }

  tokens(): Readonly<Record<string, number>> {
    const secrets = this.#workload.list('Secret').map((one) => {
      const value = (key: string) => Buffer.from(stringAt(one, 'data', key) ?? '', 'base64').toString('utf8');
      const expires = value('expiration') === '' ? Infinity : Date.parse(value('expiration'));
      return [value('token-id'), (expires - this.#timing.elapsed()) / 1000] as const;
    });
    return Object.fromEntries(secrets.filter(([, left]) => left > 0));
  }

  heldToken(): string | undefined {
    const text = stringAt(this.#management.find('Secret', 'general-0-join-token', NAMESPACE), 'data', 'token');
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
  }

  bringToken(token: string): void {
    this.#management.put(secret('general-0-join-token', { token }));
  }

  /** By the clocks of the Kubernetes APIs, which nobody sets. */
  get #stamp(): string {
    return `${new Date(this.#timing.elapsed()).toISOString().slice(0, 19)}Z`;
  }

  async #settled(): Promise<void> {
    for (let quiet = 0; quiet < QUIET; quiet += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (!this.#management.isIdle || !this.#workload.isIdle || !this.#controller.isIdle || !this.#controller.isReady)
        quiet = 0;
    }
  }

  #populate(scene: Scene, ca: string): void {
    const config = {
      apiVersion: NODE_API_VERSION,
      kind: 'ProviderConfig',
      metadata: { name: 'prod', namespace: NAMESPACE },
      spec: { credentials: { secretRef: { name: 'prod-kubeconfig' } } },
    };
    const data = { server: this.#workload.server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const kubeconfig = { clusters: [{ name: 'prod', cluster: data }], users: [{ name: 'a', user: { token: 'FAKE' } }] };
    const names = scene.scripts ?? [];
    for (const object of [
      config,
      secret('prod-kubeconfig', { value: stringify(kubeconfig) }),
      secret('prod-capi-auth-token', { token: 'FAKE' }),
      secret('prod-talosconfig', { talosconfig: 'contexts: {}' }),
      secret('general-0-update', Object.fromEntries(names.map((name) => [name, 'true']))),
      ...(scene.manager === true ? [otherManager()] : []),
      workloadNode(scene.spec),
    ])
      this.#management.put(object);
    this.#workload.put(namespaceObject()); // of docs/install/workload-cluster.yaml
    if (scene.node !== undefined) this.#workload.put(nodeObject(scene.node));
    if (scene.joinToken !== undefined) this.bringToken(scene.joinToken);
    if (scene.oldToken !== undefined) {
      const [id = '', rest = ''] = scene.oldToken.split('.');
      const old = secret(`bootstrap-token-${id}`, { 'token-id': id, 'token-secret': rest });
      this.#workload.put({ ...old, metadata: { ...old.metadata, namespace: 'kube-system' } });
    }
    for (const name of scene.daemonSets ?? []) {
      const [namespace = '', plain = ''] = name.split('/');
      this.#workload.put({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { namespace, name: plain } });
    }
    for (const [name, labels] of Object.entries(scene.namespaces ?? {}))
      this.#workload.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    if (scene.detachedAfter !== undefined) {
      const spec = { attacher: 'csi', nodeName: NODE, source: { persistentVolumeName: 'pv-1' } };
      this.#workload.put({ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'va' }, spec });
      this.#timing.after(scene.detachedAfter, () => this.#workload.delete('VolumeAttachment', 'va'));
    }
    for (const pod of scene.pods ?? []) {
      this.#refusals.set(`${pod.namespace ?? 'default'}/${pod.name}`, pod.refusals ?? 0);
      this.#workload.put(podObject(pod));
    }
  }

  #noted(before: KubeObject | undefined, after: KubeObject | undefined): void {
    if ((before ?? after)?.kind !== 'Node' || (before ?? after)?.metadata?.name !== NODE) return;
    if (after === undefined) this.events.push('Node deleted');
    const [was, is] = [before, after].map((node) => at(node, 'spec', 'unschedulable') === true);
    if (before !== undefined && after !== undefined && was !== is) this.events.push(is ? 'cordoned' : 'uncordoned');
  }

  #evict(namespace: string, name: string): ReturnType<LiveApi['evicting']> {
    const key = `${namespace}/${name}`;
    const left = this.#refusals.get(key) ?? 0;
    if (left > 0) {
      this.#refusals.set(key, left - 1);
      const isEnding = this.#scene.pods?.some((pod) => pod.name === name && pod.isNamespaceTerminating === true);
      const ending = [
        { reason: 'NamespaceTerminating', message: 'namespace is being terminated', field: 'metadata.namespace' },
      ];
      if (isEnding === true)
        return { status: 403, body: { kind: 'Status', reason: 'Forbidden', details: { causes: ending } } };
      const causes = [{ reason: 'DisruptionBudget', message: 'its disruption budget allows none' }];
      return { status: 429, body: { kind: 'Status', reason: 'TooManyRequests', details: { causes } } };
    }
    const pod = this.#workload.find('Pod', name, namespace)!;
    if (pod.metadata?.deletionTimestamp !== undefined) throw new Error(`Pod ${name} is evicted twice`);
    this.events.push(`evicted ${name}`);
    this.#workload.put(merged(pod, { metadata: { deletionTimestamp: this.#stamp, finalizers: ['kubelet'] } }));
    // A pod on a stopped machine is told to end, and never confirms it.
    this.#timing.after(POD_ENDS, () => {
      const ending = this.#workload.find('Pod', name, namespace);
      if (!this.#isStopped && ending !== undefined)
        this.#workload.put(merged(ending, { metadata: { finalizers: [] } }));
    });
    return undefined;
  }
}

function podObject({ name, namespace = 'default', labels, annotations, daemonSet }: PodScene): KubeObject {
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSet ?? '', uid: 'd', controller: true };
  const metadata = {
    namespace,
    name,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(daemonSet === undefined ? {} : { ownerReferences: [owner] as unknown as Json }),
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: NODE } };
}

function secret(name: string, data: Readonly<Record<string, string>>): KubeObject {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: NAMESPACE }, data: encoded };
}
