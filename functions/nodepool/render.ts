/**
 * The desired Machine of a slot. Its name is new for every template, so that no two machines ever have the same name.
 */
import { canonical, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { shortHashOf } from '#lib/api/names.ts';
import { ANNOTATION, API_VERSION, clusterLabels, LABEL } from '#lib/api/words.ts';
import type { Slot } from './slot.ts';
import type { Template } from './template.ts';

/** The common part of all machines of a pool, calculated once. */
export class MachineRenderer {
  readonly #pool: NodePool;
  readonly #spec: JsonObject;
  readonly #taken: ReadonlySet<string>;
  readonly #serial: number;
  /** The template as JSON with sorted keys, without the fields of Crossplane. */
  readonly #template: string;
  readonly #revisions = new Map<number, string>();

  /**
   * The uid of the pool is part of each name: a pool that is made again under its name meets nothing of the first one.
   * @param serial how many machines the pool has created: resources that a deleted machine leaves behind for a while
   *   keep its name
   * @param taken names that Machines have, those that are being deleted among them
   */
  constructor(pool: NodePool, template: Template, serial: number, taken: ReadonlySet<string>) {
    const selector = pool.spec.crossplane?.compositionSelector;
    this.#pool = pool;
    this.#template = canonical(template);
    this.#spec = {
      ...withoutEmpty(JSON.parse(this.#template) as JsonObject),
      ...(selector === undefined ? {} : { crossplane: { compositionSelector: selector as JsonObject } }),
    };
    this.#serial = serial;
    this.#taken = taken;
  }

  /** @param rolloutAfter what `rolloutAfterOf` decided */
  machine({ number, failureDomain, initialize, remediationFor }: Slot, rolloutAfter: string | undefined): KubeObject {
    const { name, namespace } = this.#pool.metadata;
    const { role, clusterRef } = this.#pool.spec;
    return {
      apiVersion: API_VERSION,
      kind: 'Machine',
      metadata: {
        name: this.#freeName(`${name}-${number}`),
        namespace,
        labels: {
          ...clusterLabels(clusterRef.name),
          [LABEL.nodePool]: name,
          [LABEL.role]: role,
          [LABEL.slot]: String(number),
          [LABEL.serial]: String(this.#serial),
        },
        ...(remediationFor === undefined
          ? {}
          : { annotations: { [ANNOTATION.remediationFor]: canonical(remediationFor) } }),
      },
      spec: {
        ...this.#spec,
        bootstrap: { ...(this.#spec['bootstrap'] as JsonObject), action: initialize ? 'Init' : 'Join' },
        ...(failureDomain === undefined ? {} : { failureDomain }),
        ...(rolloutAfter === undefined ? {} : { rolloutAfter }),
      },
    };
  }

  #freeName(prefix: string): string {
    for (let serial = this.#serial; ; serial += 1) {
      const name = `${prefix}-${this.#revision(serial)}`;
      if (!this.#taken.has(name)) return name;
    }
  }

  /** The same for every slot of one call. */
  #revision(serial: number): string {
    const known = this.#revisions.get(serial);
    if (known !== undefined) return known;
    const pool = JSON.stringify(this.#pool.metadata.uid ?? '');
    const revision = shortHashOf(`{"pool":${pool},"serial":${serial},"template":${this.#template}}`, 5);
    this.#revisions.set(serial, revision);
    return revision;
  }
}

/** The provisioning without empty fields, because every call sends all machines of a pool. */
export function withoutEmpty(spec: JsonObject): JsonObject {
  const { provisioning } = spec;
  if (!isJsonObject(provisioning)) return spec;
  const said = Object.entries(provisioning).filter(([, value]) => !isEmpty(value));
  return { ...spec, provisioning: Object.fromEntries(said) };
}

function isEmpty(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}
