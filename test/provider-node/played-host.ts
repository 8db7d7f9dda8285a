/**
 * The kubelet and the systemd of a Node, as far as updaters see them: a pod that runs them ends with the last words that
 * the real one leaves. A unit runs once, however many pods wait for it.
 */
import { at, type KubeObject } from '#lib/api/json.ts';
import type { LiveApi } from '../support/live-api.ts';
import type { SetTiming } from '../support/set-timing.ts';
import type { Scene } from './player.ts';
import { merged, NODE } from './scene.ts';

const NAMESPACE = 'slipway-system';
/** Seconds. */
const RUN_TAKES = 20;

export class PlayedHost {
  readonly #api: LiveApi;
  readonly #timing: SetTiming;
  readonly #scene: Scene;
  /** By name: when it ends, in milliseconds. */
  readonly #units = new Map<string, number>();

  constructor(api: LiveApi, timing: SetTiming, scene: Scene) {
    this.#api = api;
    this.#timing = timing;
    this.#scene = scene;
  }

  /** How many runs it has seen. */
  get runs(): number {
    return this.#units.size;
  }

  noted(before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (after?.kind !== 'Pod' || before !== undefined || after.metadata?.namespace !== NAMESPACE) return;
    const name = after.metadata.name ?? '';
    const end = this.#units.get(name) ?? this.#timing.elapsed() + RUN_TAKES * 1000;
    if (!this.#units.has(name)) {
      this.#units.set(name, end);
      this.#timing.after(RUN_TAKES, () => this.#ran());
    }
    this.#timing.after(Math.max(1, (end - this.#timing.elapsed()) / 1000), () => this.#ended(name));
  }

  #ran(): void {
    const { versionAfter: kubeletVersion } = this.#scene;
    const node = this.#api.find('Node', NODE);
    if (kubeletVersion !== undefined && node !== undefined)
      this.#api.put(merged(node, { status: { nodeInfo: { kubeletVersion } } }));
  }

  #ended(name: string): void {
    const pod = this.#api.find('Pod', name, NAMESPACE);
    const secret = this.#api.find('Secret', name, NAMESPACE);
    if (pod === undefined || secret === undefined) return; // the kubelet waits for its volume, or it is gone
    const updaters = Object.keys((at(secret, 'data') ?? {}) as object).map((key) => key.replace(/^[0-9]+-/, ''));
    const failed = updaters.find((updater) => updater === this.#scene.failing);
    const message = failed === undefined ? 'Succeeded\n' : `Failed ${failed} 1\n`;
    const containerStatuses = [{ name: 'runner', state: { terminated: { exitCode: 0, message } } }];
    this.#api.put(merged(pod, { status: { phase: 'Succeeded', containerStatuses } }));
  }
}
