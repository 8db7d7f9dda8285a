/** Add-ons: what a cluster gets besides its nodes, as Helm charts or as manifests. */
import { z } from 'zod';
import { eachOnce } from '../schema/once.ts';
import { anyObject, keyedBy, withRule } from '../schema/rules.ts';

const objectKey = z
  .string()
  .max(253)
  .regex(/^[-._a-zA-Z0-9]+$/, { error: 'is not a key; accepted: letters, digits, -, _ and .' })
  .describe('Key in its data.');

const objectName = (kind: string) =>
  z
    .string()
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, {
      error: `is not the name of a ${kind}; accepted: lower-case letters, digits, - and .`,
    });

const SecretKey = z.strictObject({
  name: objectName('Secret').describe(
    'Name of a Secret in the namespace of the claim. It needs the label slipway.dev/cluster with the name of the Cluster.',
  ),
  key: objectKey,
});

/** A key of a ConfigMap of the claim's namespace. */
export const ConfigMapKey = z.strictObject({
  name: objectName('ConfigMap').describe('Name of a ConfigMap in the namespace of the claim.'),
  key: objectKey,
});

const ValuesFrom = withRule(
  z.strictObject({
    secret: SecretKey.optional().describe('A key of a Secret.'),
    configMap: ConfigMapKey.optional().describe('A key of a ConfigMap.'),
  }),
  {
    cel: 'has(self.secret) != has(self.configMap)',
    holds: ({ secret, configMap }) => (secret === undefined) !== (configMap === undefined),
    message: 'must have secret or configMap, and not both',
  },
);

export const chartRepository = () =>
  z
    .string()
    .max(1024)
    .regex(/^(https|oci):\/\/[^\s@]+$/, {
      error: 'is not a chart repository; accepted: https://… or oci://…, without a user',
    })
    .describe('Repository of the chart: https://… or, in an OCI registry, oci://… without the name of the chart.');

export const chartName = () =>
  z
    .string()
    .max(250)
    .regex(/^[A-Za-z0-9][-A-Za-z0-9_.]*$/, {
      error: 'is not the name of a chart; accepted: letters, digits, -, _ and .',
    })
    .describe('Name of the chart.');

export const chartVersion = () =>
  z
    .string()
    .max(128)
    .regex(/^v?[0-9]+\.[0-9]+\.[0-9]+([-+][-0-9A-Za-z.+]+)?$/, {
      error: 'is not the version of a chart; accepted: one version such as 1.2.3, not a range',
    })
    .describe('Version of the chart.');

export const chartValues = () =>
  anyObject().prefault({}).describe('Values of the chart. They win over those of valuesFrom.');

const Chart = z.strictObject({
  repository: chartRepository(),
  name: chartName(),
  version: chartVersion(),
  values: chartValues(),
  valuesFrom: z
    .array(ValuesFrom)
    .max(8)
    .prefault([])
    .describe('Values in Secrets and ConfigMaps; a later one wins. Only provider-helm reads them.'),
});

const Manifests = withRule(
  z.strictObject({
    objects: z
      .array(anyObject())
      .min(1)
      .max(64)
      .optional()
      .describe('The objects themselves, each with apiVersion, kind and metadata.name.'),
    configMap: ConfigMapKey.optional().describe('A ConfigMap with the objects as YAML documents.'),
  }),
  {
    cel: 'has(self.objects) != has(self.configMap)',
    holds: ({ objects, configMap }) => (objects === undefined) !== (configMap === undefined),
    message: 'must have objects or configMap, and not both; nothing is fetched from a URL',
  },
);

/** When an add-on is applied, and what becomes of it later: the same for a claim and for a default of the platform. */
export const addOnFields = {
  name: z
    .string()
    .max(40)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
      error: 'is not the name of an add-on; accepted: at most 40 lower-case letters, digits and -',
    })
    .describe('Name of the add-on; a chart is installed as the release of this name.'),
  namespace: z
    .string()
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
      error: 'is not a namespace; accepted: lower-case letters, digits and - (a DNS label)',
    })
    .optional()
    .describe(
      'Namespace of the release of a chart in the cluster; created if it does not exist. Default: kube-system. It cannot be changed later. Manifests have their own namespaces.',
    ),
  when: z
    .enum(['NodesJoining', 'ControlPlaneReady'])
    .default('ControlPlaneReady')
    .describe(
      'NodesJoining: as soon as the first control-plane machine is a node, for what nodes need to become Ready, such as a pod network. ControlPlaneReady: once the control plane is available and every add-on of NodesJoining is ready.',
    ),
  wait: z
    .boolean()
    .default(false)
    .describe('Whether it is ready only when its workloads are, and not as soon as it is applied.'),
  policy: z
    .enum(['Keep', 'Delete'])
    .default('Keep')
    .describe(
      'What happens in the cluster when it is taken out. Keep: it stays as it is, and nobody manages it. Delete: it is uninstalled. Nothing is uninstalled when the Cluster is deleted.',
    ),
};

const SOURCES = ['chart', 'manifests', 'default'] as const;

const AddOnFields = z.strictObject({
  ...addOnFields,
  chart: Chart.optional().describe('A Helm chart.'),
  manifests: Manifests.optional().describe('Objects of Kubernetes.'),
  default: z
    .enum(['Install', 'Skip'])
    .optional()
    .describe(
      'Chooses the default of this name in the Composition. Skip: it is not installed. Install: it is, also in a Cluster that is older than the defaults. The other fields are those of the default.',
    ),
});

export const AddOn = withRule(
  withRule(AddOnFields, {
    cel: SOURCES.map((field) => `(has(self.${field}) ? 1 : 0)`).join(' + ') + ' == 1',
    holds: (addOn) => SOURCES.filter((field) => addOn[field] !== undefined).length === 1,
    message: 'must have exactly one of chart, manifests and default',
  }),
  {
    cel: '!has(self.namespace) || has(self.chart)',
    holds: ({ namespace, chart }) => namespace === undefined || chart !== undefined,
    message: 'namespace is for a chart: manifests have their own',
  },
);

/** Without CEL: the API server refuses a name twice in a keyed list. */
export const addOns = keyedBy(
  eachOnce(z.array(AddOn).max(32), 'name', ({ name }) => name),
  'name',
)
  .prefault([])
  .describe(
    'Add-ons, applied by provider-helm and provider-kubernetes. One with the name of a default of the Composition replaces it.',
  );

export type AddOn = z.output<typeof AddOn>;
export type Chart = z.output<typeof Chart>;
export type Manifests = z.output<typeof Manifests>;
