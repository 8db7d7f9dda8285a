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
  readonly #revisions: string[] = [];

  /** @param leaving names of machines on their way out; none of them is used again while it is taken */
  constructor(pool: NodePool, template: Template, leaving: ReadonlySet<string>) {
    const selector = pool.spec.crossplane?.compositionSelector;
    const spec = { ...template, ...(selector === undefined ? {} : { crossplane: { compositionSelector: selector } }) };
    this.#pool = pool;
    this.#spec = JSON.parse(canonical(spec)) as JsonObject;
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
    for (let attempt = 0; ; attempt += 1) {
      const name = `${prefix}-${this.#revision(attempt)}`;
      if (!this.#leaving.has(name)) return name;
    }
  }

  /** The same for every slot; it covers only what a machine is made of. */
  #revision(attempt: number): string {
    const { crossplane: _machinery, ...template } = this.#spec;
    return (this.#revisions[attempt] ??= shortHash({ template, attempt }, 5));
  }
}
