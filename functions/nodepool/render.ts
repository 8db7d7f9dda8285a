/** A slot's Machine as it should be. Its name is new for every template, so that no two machines ever share one. */
import { canonical, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { shortHash } from '#lib/api/names.ts';
import { API_VERSION, LABEL } from '#lib/api/words.ts';
import type { Slot } from './plan.ts';
import type { Template } from './template.ts';

/** What all machines of one pool have in common, worked out once. */
export class Mould {
  readonly #pool: NodePool;
  readonly #spec: JsonObject;
  readonly #leaving: ReadonlySet<string>;
  readonly #serial: number;
  readonly #revisions = new Map<number, string>();

  /**
   * @param serial how many machines the pool has made: what a deleted machine leaves behind for a while keeps its name
   * @param leaving names of machines on their way out; none of them is used again while it is taken
   */
  constructor(pool: NodePool, template: Template, serial: number, leaving: ReadonlySet<string>) {
    const selector = pool.spec.crossplane?.compositionSelector;
    const spec = { ...template, ...(selector === undefined ? {} : { crossplane: { compositionSelector: selector } }) };
    this.#pool = pool;
    this.#spec = JSON.parse(canonical(spec)) as JsonObject;
    this.#serial = serial;
    this.#leaving = leaving;
  }

  machine({ number, failureDomain, initialize }: Slot): KubeObject {
    const { name, namespace } = this.#pool.metadata;
    const { role, clusterRef } = this.#pool.spec;
    return {
      apiVersion: API_VERSION,
      kind: 'Machine',
      metadata: {
        name: this.#freeName(`${name}-${number}`),
        namespace,
        labels: {
          [LABEL.clusterName]: clusterRef.name,
          [LABEL.cluster]: clusterRef.name,
          [LABEL.nodePool]: name,
          [LABEL.role]: role,
          [LABEL.slot]: String(number),
          [LABEL.serial]: String(this.#serial),
        },
      },
      spec: {
        ...this.#spec,
        bootstrap: { ...(this.#spec['bootstrap'] as JsonObject), action: initialize ? 'Init' : 'Join' },
        ...(failureDomain === undefined ? {} : { failureDomain }),
      },
    };
  }

  #freeName(prefix: string): string {
    for (let serial = this.#serial; ; serial += 1) {
      const name = `${prefix}-${this.#revision(serial)}`;
      if (!this.#leaving.has(name)) return name;
    }
  }

  /** The same for every slot of one call. */
  #revision(serial: number): string {
    const known = this.#revisions.get(serial);
    if (known !== undefined) return known;
    const { crossplane: _machinery, ...template } = this.#spec;
    const revision = shortHash({ template, serial }, 5);
    this.#revisions.set(serial, revision);
    return revision;
  }
}
