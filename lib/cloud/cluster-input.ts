/** What every cloud's Composition tells the cluster step; a cloud adds a section of its own. */
import { z } from 'zod';
import { identities, securityGroups } from '#lib/api/fields/infrastructure.ts';
import { cidr } from '#lib/api/fields/text.ts';
import { inputFields, inputName, providerConfigRef } from '#lib/fn/input.ts';
import { allowInClear, CATALOG, environmentConfig, otherFormats } from './catalog.ts';
import { cloudProvider } from './cloud-provider.ts';
import { ANY, MACHINE_LIMITS } from './limits.ts';
import { overridesInput } from './overrides-input.ts';
import { ZONES } from './zones.ts';

const word = () => z.string().min(1).max(63);

/** Of what gives rights or opens a network: claims name none, unless the platform says which. */
const idsOf = (what: string) =>
  z
    .array(z.string().min(1).max(256))
    .max(256)
    .prefault([])
    .describe(`Ids of the existing ${what} that claims may use; ${ANY} stands for all. Default: none.`);

const Limits = z.strictObject({
  regions: z
    .array(word())
    .max(64)
    .optional()
    .describe(`Values that claims may give to spec.region; ${ANY} stands for all.`),
  networks: z
    .array(z.string().min(1).max(256))
    .max(64)
    .optional()
    .describe(`Ids of the existing networks that claims may use; ${ANY} stands for all.`),
  subnets: z
    .array(z.string().min(1).max(256))
    .max(256)
    .optional()
    .describe(`Ids of the existing subnets that claims may use; ${ANY} stands for all.`),
  securityGroups: idsOf('security groups, or network tags,'),
  identities: idsOf('identities'),
  loadBalancerTargets: idsOf('load balancer targets'),
  resourceGroups: idsOf('resource groups'),
  encryptionKeys: idsOf('encryption keys'),
  allowedCIDRs: z
    .array(cidr())
    .max(64)
    .optional()
    .describe('Network blocks that must contain what claims open the Kubernetes API to.'),
  endpoints: z
    .array(z.string().min(1).max(256))
    .max(256)
    .optional()
    .describe(
      `Hosts that claims may give to spec.controlPlane.endpoint, which provider-node, provider-helm and provider-kubernetes call: names, where * stands for any text, addresses, and blocks of them. A host that means the platform itself, such as loopback, a metadata service or a Service of its cluster, has to be listed itself, or as *.SUFFIX; ${ANY} stands for all others. Default: all others.`,
    ),
  // Of the machines of the control plane; its pool is judged by those of NodePoolInput as well.
  ...MACHINE_LIMITS,
});

export const CLUSTER_INPUT = {
  ...inputFields('ClusterInput'),
  environmentConfig: environmentConfig(),
  ...CATALOG,
  otherFormats: otherFormats(),
  allowInClear: allowInClear(),
  cloudProvider: cloudProvider(),
  zones: ZONES,
  providerConfigRef: providerConfigRef(),
  providerConfigs: z
    .array(
      z.strictObject({
        kind: z.enum(['ProviderConfig', 'ClusterProviderConfig']).default('ProviderConfig').describe('Its kind.'),
        name: z.string().min(1).max(253).describe('Its name; * stands for any text.'),
      }),
    )
    .max(64)
    .prefault([])
    .describe(
      'Credentials that claims may choose with spec.infrastructure.providerConfigRef, besides those of this input. Whoever may claim a cluster can then use them. Default: none.',
    ),
  overrides: overridesInput(),
  limits: Limits.prefault({}).describe(
    'What claims may choose. A list without entries allows nothing; a limit that is not set, and has no default, allows everything. A choice outside is refused; what a cluster has stays when a limit comes later, and its claim goes on.',
  ),
  existingParts: z
    .strictObject({ securityGroups: securityGroups(), identities: identities() })
    .prefault({})
    .describe(
      'Parts that somebody else provides for every new cluster whose claim does not name its own. An existing cluster keeps what it has.',
    ),
  managementCIDRs: z
    .array(cidr())
    .max(32)
    .prefault([])
    .describe(
      'Network blocks of this management cluster, as load balancers see them. They may reach the Kubernetes API of every cluster, whatever claims and limits say: provider-node needs that.',
    ),
  managementCluster: z
    .string()
    .max(32)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
      error: 'is not a name; accepted: lower-case letters, digits and -',
    })
    .optional()
    .describe(
      'Name of this management cluster, for accounts that several of them use: new clusters have it as a tag, and their names in the cloud depend on it. Default: their names depend on the uid of the claim.',
    ),
  tags: z
    .record(z.string().min(1).max(128), z.string().max(256))
    .prefault({})
    .describe('Tags of every cloud object of every cluster, in addition to those Slipway needs.'),
};

export type NeutralClusterInput = z.output<z.ZodObject<typeof CLUSTER_INPUT>>;

/** How messages call this input, the same as where it is read. */
export const INPUT_NAME = inputName('ClusterInput');
