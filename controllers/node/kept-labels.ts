/**
 * The labels in the cache of one workload cluster: labels that its WorkloadNodes set or have set. Nothing here reads the
 * hundreds of other labels that a Node may have.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { labelsUsed } from '#lib/node/marks.ts';
import { slimNode } from './slim.ts';

export class KeptLabels {
  /** Their places, in the order in which they came. None goes, so that a number says which a Node was read for. */
  readonly #places = new Map<string, number>();
  readonly #readFor = new WeakMap<KubeObject, number>();

  constructor(users: readonly KubeObject[]) {
    for (const object of users) this.add(object);
  }

  /** Those of a WorkloadNode, for Nodes that are read from now on. */
  add(object: KubeObject): void {
    for (const key of labelsUsed(object)) if (!this.#places.has(key)) this.#places.set(key, this.#places.size);
  }

  slim(node: KubeObject): KubeObject {
    const slim = slimNode(node, { labels: this.#places.keys() });
    this.#readFor.set(slim, this.#places.size);
    return slim;
  }

  /** Whether a label of the object that a Node does not have here is one that it does not have at all. */
  has(node: KubeObject, object: KubeObject): boolean {
    const readFor = this.#readFor.get(node) ?? 0;
    return labelsUsed(object).every((key) => (this.#places.get(key) ?? Infinity) < readFor);
  }
}
