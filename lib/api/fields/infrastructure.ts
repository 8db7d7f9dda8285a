/** Cloud-specific settings: existing infrastructure, and patches of composed resources. */
import { z } from 'zod';
import { anyObject, immutable, withoutFields, withRule } from '../schema/rules.ts';
import { ConfigMapKey } from './addons.ts';
import { oneOfBoth } from './value-from.ts';

/** Why credentials cannot change: another account has none of the objects of a cluster. */
export const MOVED = 'what exists cannot move to another account';

const target = {
  kind: z
    .string()
    .min(1, { error: 'is not accepted; accepted: the kind of a composed resource, such as Instance' })
    .max(63)
    .describe('Kind of the composed resource, such as Instance.'),
  resource: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('Composition resource name; * matches anything. Default: every resource of the kind.'),
};

const PATCH =
  'JSON merge patch of the resource, limited to spec.forProvider, spec.initProvider, metadata.labels and metadata.annotations.';

const PatchSource = z.strictObject({
  configMap: ConfigMapKey.describe('A key of a ConfigMap, whose value is the patch as YAML or JSON.'),
});

/** As a claim says it. */
const ClaimedOverride = oneOfBoth(
  z.strictObject({
    ...target,
    patch: anyObject().optional().describe(PATCH),
    patchFrom: PatchSource.optional().describe('Where the patch is, in place of patch.'),
  }),
  'patch',
);

export const claimedOverrides = z
  .array(ClaimedOverride)
  .max(32)
  .prefault([])
  .describe(
    'Patches of composed resources, for settings that only the cloud has. A patch that matches nothing is reported.',
  );

const Override = z.strictObject({ ...target, patch: anyObject().describe(PATCH) });

/** Of a Machine, which keeps what its pool read. */
export const overrides = z
  .array(Override)
  .max(32)
  .prefault([])
  .describe(
    'Patches of composed resources, for settings that only the cloud has. A patch that matches nothing is reported.',
  );

export type ClaimedOverride = z.output<typeof ClaimedOverride>;
export type Override = z.output<typeof Override>;

const ProviderConfigRef = z.strictObject({
  kind: z
    .enum(['ProviderConfig', 'ClusterProviderConfig'])
    .default('ProviderConfig')
    .describe('ProviderConfig: one in the namespace of the claim. ClusterProviderConfig: one for all namespaces.'),
  name: z
    .string()
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, {
      error: 'is not the name of a ProviderConfig; accepted: lower-case letters, digits, - and .',
    })
    .describe('Its name.'),
});

/** Credentials of a provider, by the kind and the name of a configuration. */
export type ProviderConfigRef = z.output<typeof ProviderConfigRef>;

export const providerConfigRef = immutable(ProviderConfigRef, MOVED)
  .optional()
  .describe(
    'Credentials of the provider for everything of this cluster in the cloud, if the Composition lets claims choose them. Default: those of the Composition. It cannot be changed later.',
  );

const id = () => z.string().min(1).max(256);

/** Without a bound the API server takes rules that read them for too expensive. */
const LABELS = 16;

/** As people call a selection by tags of the cloud, which no provider can look up. */
const BY_TAGS = ['tags', 'matchTags', 'tagSelector', 'selector', 'matchLabels', 'filters'] as const;

/** @param field  that takes labels there */
function withoutTags<S extends z.ZodType>(schema: S, field: string): S {
  const words = `${field} with labels of a managed resource that observes it, since providers find nothing by tags`;
  return withoutFields(schema, Object.fromEntries(BY_TAGS.map((name) => [name, words])));
}

/** A managed resource of the namespace of the claim: somebody else wrote it, and it may only observe. */
const Reference = withoutTags(
  withRule(
    z.strictObject({
      name: z.string().min(1).max(253).optional().describe('Its name.'),
      matchLabels: z
        .record(z.string().max(317), z.string().max(63))
        .refine((labels) => Object.keys(labels).length <= LABELS, { error: `has more than ${LABELS} labels` })
        .meta({ maxProperties: LABELS })
        .optional()
        .describe('Labels that it has, and no other one of its kind.'),
    }),
    {
      cel: 'has(self.name) != has(self.matchLabels) && (!has(self.matchLabels) || size(self.matchLabels) > 0)',
      holds: ({ name, matchLabels }) =>
        (name === undefined) !== (matchLabels === undefined) && Object.keys(matchLabels ?? { none: '' }).length > 0,
      message: 'must have a name or labels, and not both',
    },
  ),
  'matchLabels',
);

const ref = (of: string) =>
  Reference.optional().describe(
    `The managed resource of ${of} in the namespace of the claim, instead of the id. The cluster waits until it is ready, and keeps the id.`,
  );

const idOrRef = {
  cel: 'has(self.id) != has(self.ref)',
  holds: ({ id: given, ref: to }: { readonly id?: string | undefined; readonly ref?: unknown }) =>
    (given === undefined) !== (to === undefined),
  message:
    'must have exactly one of id and ref; a ref has the name or labels of a managed resource, not tags of the cloud',
};

/** For both kinds of machine at once: what one of them has made, the other one would have to know. */
export const ExistingSecurityGroups = z.strictObject({
  controlPlane: z.array(id()).min(1).max(5).describe('Those of control-plane machines.'),
  worker: z.array(id()).min(1).max(5).describe('Those of other machines.'),
});

export const ExistingIdentities = z.strictObject({
  controlPlane: id().describe('That of control-plane machines.'),
  worker: id().describe('That of other machines.'),
});

const SECURITY_GROUPS =
  'Security groups of machines by id, or their network tags where rules are by tag. Slipway then makes none for machines and puts no rule on these.';
const IDENTITIES =
  'Identities of machines: instance profiles by name, managed identities by id, or service accounts by their address. Slipway then makes none, and grants these nothing but what only this cluster has: its own vaults and resource group, where the cloud has such.';

export const ExistingPart = z.strictObject({ id: id().describe('Its id in the cloud.') });

export const securityGroups = () => ExistingSecurityGroups.optional().describe(SECURITY_GROUPS);

export const identities = () => ExistingIdentities.optional().describe(IDENTITIES);

const BY_REF = 'ref.matchLabels';

const ClaimedPart = (of: string) =>
  withoutTags(
    withRule(z.strictObject({ id: id().optional().describe('Its id in the cloud.'), ref: ref(of) }), idOrRef),
    BY_REF,
  );

const ClaimedSubnet = withoutTags(
  withRule(
    z.strictObject({
      id: id().optional().describe('Id of the subnet in the cloud.'),
      ref: ref('the subnet'),
      zone: z
        .string()
        .min(1, { error: 'is not accepted; accepted: the failure domain that the subnet is in, such as eu-west-1a' })
        .max(63)
        .describe('Failure domain of the subnet.'),
      public: z
        .boolean()
        .default(false)
        .describe(
          'Whether the subnet has a direct route to the internet. Load balancers use public subnets, machines private ones.',
        ),
    }),
    idOrRef,
  ),
  BY_REF,
);

const ClaimedTarget = withoutTags(
  withRule(
    z.strictObject({
      id: id()
        .optional()
        .describe('Id of what control-plane machines register with, such as the ARN of a target group.'),
      ref: ref('the target'),
      port: z.int().min(1).max(65_535).default(6443).describe('Port of the machine that receives the traffic.'),
    }),
    idOrRef,
  ),
  BY_REF,
);

const references = () =>
  z.array(Reference).max(5).prefault([]).describe('Managed resources of more of them in the namespace of the claim.');
const groups = (of: string) => z.array(id()).max(5).prefault([]).describe(`Those of ${of}.`);

/** Also where nobody has filled in defaults. */
const isFilled = (field: string): string => `has(self.${field}) && size(self.${field}) > 0`;

const ClaimedSecurityGroups = withoutTags(
  withRule(
    z.strictObject({
      controlPlane: groups('control-plane machines'),
      controlPlaneRefs: references(),
      worker: groups('other machines'),
      workerRefs: references(),
    }),
    {
      cel: ['controlPlane', 'worker']
        .map((field) => `(${isFilled(field)} || ${isFilled(`${field}Refs`)})`)
        .join(' && '),
      holds: ({ controlPlane, controlPlaneRefs, worker, workerRefs }) =>
        controlPlane.length + controlPlaneRefs.length > 0 && worker.length + workerRefs.length > 0,
      message: 'must have at least one for control-plane machines, and one for other machines',
    },
  ),
  'controlPlaneRefs[].matchLabels and workerRefs[].matchLabels',
);

const ClaimedIdentities = withoutTags(
  withRule(
    z.strictObject({
      controlPlane: id().optional().describe('That of control-plane machines.'),
      controlPlaneRef: ref('that of control-plane machines'),
      worker: id().optional().describe('That of other machines.'),
      workerRef: ref('that of other machines'),
    }),
    {
      cel: 'has(self.controlPlane) != has(self.controlPlaneRef) && has(self.worker) != has(self.workerRef)',
      holds: ({ controlPlane, controlPlaneRef, worker, workerRef }) =>
        (controlPlane === undefined) !== (controlPlaneRef === undefined) &&
        (worker === undefined) !== (workerRef === undefined),
      message: 'must have exactly one identity, or one reference, for each kind of machine',
    },
  ),
  'controlPlaneRef.matchLabels and workerRef.matchLabels',
);

/** Parts of somebody else as a claim names them: by id, or by a managed resource. */
export const ClaimedParts = z.strictObject({
  network: ClaimedPart('the network')
    .optional()
    .describe('An existing network, which Slipway does not manage. Requires subnets.'),
  subnets: z.array(ClaimedSubnet).max(48).prefault([]).describe('The subnets to use in that network.'),
  securityGroups: ClaimedSecurityGroups.optional().describe(SECURITY_GROUPS),
  identities: ClaimedIdentities.optional().describe(IDENTITIES),
  loadBalancerTargets: z
    .array(ClaimedTarget)
    .max(16)
    .prefault([])
    .describe(
      'What control-plane machines register with, of a load balancer that Slipway does not manage. Requires controlPlane.endpoint.',
    ),
  resourceGroup: ClaimedPart('the resource group')
    .optional()
    .describe(
      'An existing resource group for everything of this cluster, where the cloud has resource groups. It stays when the cluster is deleted.',
    ),
  encryptionKey: ClaimedPart('the key')
    .optional()
    .describe(
      'An existing key for the disks of machines and, where its store takes a key, for first-boot data: a KMS key by ARN, a key of Cloud KMS, or a disk encryption set. It replaces the key of the Composition.',
    ),
});

/** The same with the ids of all of them. */
export interface Existing {
  readonly network?: ExistingPart | undefined;
  readonly subnets: { readonly id: string; readonly zone: string; readonly public: boolean }[];
  readonly securityGroups?: ExistingSecurityGroups | undefined;
  readonly identities?: ExistingIdentities | undefined;
  readonly loadBalancerTargets: { readonly id: string; readonly port: number }[];
  readonly resourceGroup?: ExistingPart | undefined;
  readonly encryptionKey?: ExistingPart | undefined;
}

export type ClaimedParts = z.output<typeof ClaimedParts>;
export type Reference = z.output<typeof Reference>;
export type ExistingPart = z.output<typeof ExistingPart>;
export type ExistingSecurityGroups = z.output<typeof ExistingSecurityGroups>;
export type ExistingIdentities = z.output<typeof ExistingIdentities>;
