/** A chart as a Release of provider-helm. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, HELM_API_VERSION } from '#lib/api/words.ts';
import { metadataOf, MANAGED, providerConfigRef } from './part.ts';
import type { Situation } from './situation.ts';
import type { ChartAddOn } from './wanted.ts';

/** Composition resource name. */
export function releaseKey(name: string): string {
  return `addon-${name}`;
}

export function releaseOf(situation: Situation, addOn: ChartAddOn): KubeObject {
  const { cluster } = situation;
  const { name, namespace, wait } = addOn;
  const { repository, name: chart, version, values, valuesFrom } = addOn.chart;
  const from = valuesFrom.map(({ secret, configMap }) =>
    secret === undefined ? { configMapKeyRef: { ...configMap } } : { secretKeyRef: { ...secret } },
  );
  return {
    apiVersion: HELM_API_VERSION,
    kind: 'Release',
    metadata: metadataOf(cluster, addOn, `${cluster.metadata.name}-addon-${name}`, {
      // The name of the release in the cluster.
      [CROSSPLANE.externalName]: name,
    }),
    spec: {
      forProvider: {
        chart: { repository, name: chart, version },
        namespace,
        wait,
        ...(Object.keys(values).length === 0 ? {} : { values: values as JsonObject }),
        ...(from.length === 0 ? {} : { valuesFrom: from }),
      },
      managementPolicies: MANAGED,
      providerConfigRef: providerConfigRef(situation, HELM_API_VERSION),
    },
  };
}
