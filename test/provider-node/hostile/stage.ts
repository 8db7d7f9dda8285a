/**
 * The controller with one WorkloadNode, whose ProviderConfig leads wherever a case wants: a kubeconfig that should not
 * be followed, or a server that is no Kubernetes API.
 */
import { stringify } from 'yaml';
import { conditionOf } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { KubeClient } from '#lib/kube/client.ts';
import { EVENTS } from '#lib/kube/events.ts';
import { Controller } from '../../../controllers/node/controller.ts';
import {
  CLUSTER_PROVIDER_CONFIGS,
  PROVIDER_CONFIGS,
  SECRETS,
  USAGES,
  WORKLOAD_NODES,
} from '../../../controllers/node/kinds.ts';
import { type Issuer, newIssuer } from '../../support/authority.ts';
import { LiveApi } from '../../support/live-api.ts';
import { SetTiming } from '../../support/set-timing.ts';
import { CONFIG, merged, NAMESPACE, NODE, workloadNode } from '../scene.ts';

const SECRET = 'prod-kubeconfig';
const START = Date.parse('2026-01-01T00:00:00Z');
/** In every kubeconfig, and never in anything that is shown. */
export const TOKEN = 'FAKE-TOKEN-0123456789';
/** Milliseconds of real time that a case has at most. */
const MOST = 60_000;
/**
 * Of the event loop, in which nothing is under way before time passes. A request that was just begun takes some until
 * the server knows of it: how many milliseconds that is depends on how busy the machine is.
 */
const TURNS = 20;

let made: Promise<Issuer> | undefined;

export function authority(): Promise<Issuer> {
  return (made ??= newIssuer('kubernetes', 'ECDSA'));
}

/** A kubeconfig for a server, with other fields of its cluster and user. */
export async function kubeconfigTo(server: string, cluster: JsonObject = {}, user: JsonObject = {}): Promise<string> {
  const { cert } = await authority();
  const ca = { 'certificate-authority-data': Buffer.from(cert).toString('base64') };
  return stringify({
    clusters: [{ name: 'prod', cluster: { server, ...ca, ...cluster } }],
    users: [{ name: 'a', user: { token: TOKEN, ...user } }],
  });
}

export interface Setting {
  /** Text of the kubeconfig; undefined: there is no Secret. */
  readonly kubeconfig?: string | undefined;
  /** Laid over the Secret with the kubeconfig. */
  readonly secret?: JsonObject;
  /** Merged into the spec of the WorkloadNode. */
  readonly spec?: JsonObject;
  /** Where the kubeconfig leads: time passes only while it is idle. */
  readonly workload?: LiveApi;
  /** Whether kubeconfigs may lead to this host, where the server of a case is. */
  readonly local: boolean;
  /** Seconds between looks at an object about which nothing is heard. */
  readonly poll?: number;
}

export class HostileStage {
  readonly #management: LiveApi;
  readonly #workload: LiveApi | undefined;
  readonly #timing = new SetTiming(START);
  readonly #controller: Controller;
  readonly #logged: string[] = [];

  private constructor(management: LiveApi, ca: string, { local, workload, poll }: Setting) {
    this.#management = management;
    this.#workload = workload;
    this.#controller = new Controller({
      management: new KubeClient({ server: management.server, credentials: { ca } }),
      timing: this.#timing,
      random: () => 0.5,
      rules: { local, own: management.server },
      log: (message, about) => this.#logged.push(`${message} ${JSON.stringify(about)}`),
      callTalos: () => Promise.resolve(undefined),
      ...(poll === undefined ? {} : { poll }),
    });
    this.#controller.start();
  }

  static async begin(setting: Setting): Promise<HostileStage> {
    const { kubeconfig, secret = {}, spec = {} } = setting;
    const issuer = await authority();
    const pair = await issuer.issue('api', { ip: ['127.0.0.1'] });
    const kinds = [WORKLOAD_NODES, PROVIDER_CONFIGS, CLUSTER_PROVIDER_CONFIGS, USAGES, SECRETS, EVENTS];
    const management = await LiveApi.with(pair, ...kinds);
    management.put(CONFIG);
    if (kubeconfig !== undefined) management.put(merged(secretOf(kubeconfig), secret));
    management.put(workloadNode(spec));
    return new HostileStage(management, issuer.cert, setting);
  }

  get management(): LiveApi {
    return this.#management;
  }

  /** `Synced False ReconcileError: …`; undefined until it is reported. */
  said(type: string, name = NODE): string | undefined {
    const condition = conditionOf(this.object(name), type);
    if (condition === undefined) return undefined;
    const { status, reason, message } = condition;
    return `${type} ${status} ${reason}${message === undefined ? '' : `: ${message}`}`;
  }

  /** That have passed. */
  get seconds(): number {
    return (this.#timing.elapsed() - START) / 1000;
  }

  /** Somebody replaces the kubeconfig, or deletes its Secret. */
  bring(kubeconfig: string | undefined): void {
    if (kubeconfig === undefined) this.#management.delete('Secret', SECRET, NAMESPACE);
    else this.#management.put(secretOf(kubeconfig));
  }

  object(name = NODE): KubeObject | undefined {
    return this.#management.find('WorkloadNode', name, NAMESPACE);
  }

  delete(name = NODE): void {
    const stamp = `${new Date(this.#timing.now()).toISOString().slice(0, 19)}Z`;
    this.#management.delete('WorkloadNode', name, NAMESPACE, stamp);
  }

  /** Time passes until it is true. Throws after a minute of real time. */
  async until(what: string, isTrue: () => boolean): Promise<void> {
    const end = Date.now() + MOST;
    while (!isTrue()) {
      if (Date.now() > end)
        throw new Error(`waited for: ${what}; the object says ${JSON.stringify(this.object()?.status)}`);
      await this.passABit();
    }
  }

  /** No time passes until it is true: only what is under way goes on. */
  async meanwhile(what: string, isTrue: () => boolean): Promise<void> {
    const end = Date.now() + MOST;
    while (!isTrue()) {
      if (Date.now() > end) throw new Error(`waited for: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    // What came of it is noticed.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** What is under way is answered, and then the next timer is due. */
  async passABit(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 10));
    for (let turn = 0; turn < TURNS; turn += 1) {
      if (!this.#management.isIdle || this.#workload?.isIdle === false) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { next } = this.#timing;
    if (next !== undefined) this.#timing.goTo(next);
  }

  /** All that anybody can read afterwards. */
  get shown(): string {
    const objects = ['WorkloadNode', 'Event', 'ProviderConfigUsage'].flatMap((kind) => this.#management.list(kind));
    return [...this.#logged, ...objects.map((object) => JSON.stringify(object))].join('\n');
  }

  /** Time passes until what is under way has ended. */
  async end(): Promise<void> {
    const over = new AbortController();
    const stopped = this.#controller.stop().finally(() => over.abort());
    while (!over.signal.aborted) await this.passABit();
    await stopped;
    this.#management.close();
  }
}

function secretOf(kubeconfig: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SECRET, namespace: NAMESPACE },
    data: { value: Buffer.from(kubeconfig).toString('base64') },
  };
}
