/** A slot's Machine as it should be. Its name is new for every template, so that no two machines ever share one. */
import { canonical, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { shortHash } from '#lib/api/names.ts';
import { API_VERSION, LABEL } from '#lib/api/words.ts';
import type { Slot } from './plan.ts';
import type { Template } from './template.ts';

/**
 * @param leaving names of machines on their way out; none of them is used again while it is taken
 */
export function machineOf(pool: NodePool, template: Template, slot: Slot, leaving: ReadonlySet<string>): KubeObject {
  const { name, namespace } = pool.metadata;
  const { role, clusterRef } = pool.spec;
  const selector = pool.spec.crossplane?.compositionSelector;
  const spec = {
    ...template,
    bootstrap: { ...template.bootstrap, action: slot.initialize ? 'Init' : 'Join' },
    ...(slot.failureDomain === undefined ? {} : { failureDomain: slot.failureDomain }),
    ...(selector === undefined ? {} : { crossplane: { compositionSelector: selector } }),
  };
  return {
    apiVersion: API_VERSION,
    kind: 'Machine',
    metadata: {
      name: freeName(`${name}-${slot.number}`, template, leaving),
      namespace,
      labels: {
        [LABEL.clusterName]: clusterRef.name,
        [LABEL.cluster]: clusterRef.name,
        [LABEL.nodePool]: name,
        [LABEL.role]: role,
        [LABEL.slot]: String(slot.number),
      },
    },
    spec: JSON.parse(canonical(spec)) as JsonObject,
  };
}

function freeName(prefix: string, template: Template, leaving: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const name = `${prefix}-${shortHash({ template, attempt }, 5)}`;
    if (!leaving.has(name)) return name;
  }
}
