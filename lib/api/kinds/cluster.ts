/** Cluster: what an application team claims. */
import { z } from 'zod';
import { overlaps, parseCidr } from '../cidr.ts';
import { InfrastructureStatus } from '../contracts/infrastructure-status.ts';
import { addOns } from '../fields/addons.ts';
import { ClusterBootstrap } from '../fields/bootstrap.ts';
import { HealthPolicy } from '../fields/health.ts';
import { ClaimedParts, MOVED, claimedOverrides, providerConfigRef } from '../fields/infrastructure.ts';
import { MachineTemplate, NO_SPOT } from '../fields/machine-template.ts';
import { nodeMarks } from '../fields/node-marks.ts';
import { Provisioning } from '../fields/provisioning.ts';
import { cidr, network, version } from '../fields/text.ts';
import { DOMAIN_CEL, DOMAIN_RULE, HOST_CEL, HOST_RULE, hostsMeant } from '../host-name.ts';
import { USABLE_CEL, USABLE_RULE } from '../network-block.ts';
import { ControlPlaneUpdatePolicy } from '../fields/update.ts';
import { immutable, keepsPresence, meaning, onAdmission, withoutFields, withRule } from '../schema/rules.ts';
import { composite, machinery } from './composite.ts';

const builtIn = 'every node was created with the present value';

const BLOCKS = { pods: '10.244.0.0/16', services: '10.96.0.0/12', nodes: '10.0.0.0/16' } as const;
type Blocks = Readonly<Record<keyof typeof BLOCKS, string>>;

const PAIRS = [
  ['pods', 'services'],
  ['pods', 'nodes'],
  ['services', 'nodes'],
] as const;

/** Two blocks that overlap; only those that parse are compared, the others are reported on their own. */
function overlapping(blocks: Blocks): (typeof PAIRS)[number] | undefined {
  return PAIRS.find((pair) => {
    const [left, right] = pair.map((name) => parseCidr(blocks[name]));
    return left !== undefined && right !== undefined && overlaps(left, right);
  });
}

/** Blames what the claim says and not a default. */
function explainOverlap(blocks: Blocks) {
  const [first, second] = overlapping(blocks) ?? PAIRS[0];
  const [field, other] = blocks[first] === BLOCKS[first] ? [second, first] : [first, second];
  const whose = blocks[other] === BLOCKS[other] ? `the default of ${other}` : other;
  return {
    field: [field],
    message: `overlaps with ${whose}, ${blocks[other]}; accepted: a block apart from the others`,
  };
}

/** @param why it cannot change */
const block = (why: string) => onAdmission(immutable(network(), why), { cel: USABLE_CEL, message: USABLE_RULE });

const Network = withRule(
  z.strictObject({
    pods: block(builtIn).default(BLOCKS.pods).describe('Network block of pod addresses.'),
    services: block(builtIn).default(BLOCKS.services).describe('Network block of Service addresses.'),
    nodes: block('a network cannot be renumbered')
      .default(BLOCKS.nodes)
      .describe(
        'Network block of the machines, split into one public and one private subnet per zone. Not used with an existing network.',
      ),
    dnsDomain: onAdmission(
      immutable(
        z
          .string()
          .min(1)
          .max(253)
          .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, { error: DOMAIN_RULE }),
        builtIn,
      ),
      { cel: DOMAIN_CEL, message: DOMAIN_RULE },
    )
      .default('cluster.local')
      .describe('Domain of Services and pods.'),
  }),
  {
    cel: PAIRS.map(
      ([a, b]) =>
        `!cidr(self.${a}).containsIP(cidr(self.${b}).ip()) && !cidr(self.${b}).containsIP(cidr(self.${a}).ip())`,
    ).join(' && '),
    holds: (blocks) => overlapping(blocks) === undefined,
    explain: explainOverlap,
    message: 'must not overlap: pods, services and nodes need separate blocks',
  },
);

const Endpoint = z.strictObject({
  host: meaning(
    z
      .string()
      .max(253)
      .regex(/^[A-Za-z0-9.:_-]+$/, { error: HOST_RULE }),
    hostsMeant,
    false,
  ).describe('DNS name or address of the Kubernetes API.'),
  port: z.int().min(1).max(65_535).default(6443).describe('Port of the Kubernetes API.'),
});

/** Of a claim: what a cloud reports has no rule. */
const ClaimedEndpoint = Endpoint.extend({
  host: onAdmission(Endpoint.shape.host, { cel: HOST_CEL, message: HOST_RULE }),
});

const HELD = 'certificates and nodes use it';

const ODD =
  'is not accepted; accepted: an odd number from 1 to 9, so that etcd keeps a majority when a machine is lost';

const ControlPlaneFields = z.strictObject({
  replicas: withRule(z.int().min(1, { error: ODD }).max(9, { error: ODD }), {
    cel: 'self % 2 == 1',
    holds: (count) => count % 2 === 1,
    message: ODD,
  })
    .default(3)
    .describe('Number of control-plane machines; must be odd.'),
  machine: withRule(MachineTemplate, {
    cel: "!has(self.capacityType) || self.capacityType != 'spot'",
    holds: ({ capacityType }) => capacityType !== 'spot',
    field: ['capacityType'],
    message: NO_SPOT,
  }).describe('Template of the control-plane machines.'),
  ...nodeMarks,
  endpoint: immutable(ClaimedEndpoint, HELD)
    .optional()
    .describe(
      'An existing Kubernetes API endpoint, which Slipway does not manage. Default: Slipway creates a load balancer. It cannot be changed later.',
    ),
  scheme: immutable(z.enum(['internal', 'internet-facing']), 'the scheme of a load balancer cannot change')
    .optional()
    .describe(
      'Addresses of the API load balancer: internal, private ones; internet-facing, public ones. internet-facing needs allowedCIDRs. Default: internal; an existing load balancer keeps its scheme.',
    ),
  allowedCIDRs: z
    .array(cidr())
    .min(1)
    .max(32)
    .optional()
    .describe(
      'Network blocks that may reach the Kubernetes API; 0.0.0.0/0 is everyone who has a route to it. Default: only machines of the cluster, and the management cluster if the Composition names its blocks.',
    ),
});

const ControlPlane = keepsPresence(
  withRule(ControlPlaneFields, {
    cel: "!has(self.scheme) || self.scheme != 'internet-facing' || has(self.allowedCIDRs)",
    holds: ({ scheme, allowedCIDRs }) => scheme !== 'internet-facing' || allowedCIDRs !== undefined,
    message: 'allowedCIDRs must say who may reach an internet-facing API; 0.0.0.0/0 is everyone',
  }),
  { endpoint: HELD },
);

const NO_REGION =
  'is not accepted; accepted: a region that the Composition maps, such as eu-west, or the name of a region of the cloud';

export const ClusterSpec = z.strictObject({
  version: version().describe('Kubernetes version of the control plane and of all pools that do not set their own.'),
  region: immutable(z.string().min(1, { error: NO_REGION }).max(63), 'machines and networks cannot move').describe(
    'Region of the cluster: a neutral name that the Composition maps, or the name of a region of the cloud.',
  ),
  network: Network.prefault({}).describe('Address blocks and DNS domain.'),
  controlPlane: ControlPlane.describe('The machines that run the Kubernetes API.'),
  bootstrap: ClusterBootstrap.prefault({}).describe('Bootstrap provider, which turns a host into a node.'),
  provisioning: Provisioning.prefault({}).describe('First-boot configuration, independent of the bootstrap provider.'),
  infrastructure: keepsPresence(
    z.strictObject({
      existing: immutable(ClaimedParts, 'a cluster keeps the parts that it was created with')
        .prefault({})
        .describe('Existing infrastructure, which Slipway does not manage.'),
      overrides: claimedOverrides,
      providerConfigRef,
    }),
    { providerConfigRef: MOVED },
  )
    .prefault({})
    .describe('Settings that only the cloud has.'),
  update: ControlPlaneUpdatePolicy.prefault({}).describe('How control-plane machines are updated.'),
  health: HealthPolicy.prefault({}).describe('When a control-plane machine is replaced.'),
  addons: addOns,
  paused: z.boolean().default(false).describe('Stops every change to existing machines of the control plane.'),
  deletionProtection: z.boolean().default(false).describe('While true, the API server refuses to delete this Cluster.'),
});

/** Loose where a later release may say more. */
const SecretRecord = z.looseObject({
  name: z.string().describe('Name of the Secret.'),
  origin: z
    .string()
    .describe('Made: created by the bootstrap step. Supplied: created by you, and not managed by Slipway.'),
  fingerprint: z
    .string()
    .optional()
    .describe('SHA-256 of the public key or, if there is none, of the data. Not set for texts that people chose.'),
});

export const ClusterStatus = z.looseObject({
  infrastructure: InfrastructureStatus.optional().describe(
    'What NodePools need to know about the infrastructure; a published contract.',
  ),
  controlPlaneEndpoint: Endpoint.optional().describe('Endpoint of the Kubernetes API.'),
  controlPlane: z
    .looseObject({
      initialized: z
        .boolean()
        .default(false)
        .describe('True once the first control-plane machine became a node; never set back.'),
      version: z.string().optional().describe('The oldest Kubernetes version among control-plane nodes.'),
      replicas: z.int().default(0).describe('Machines that exist.'),
      readyReplicas: z.int().default(0).describe('Machines that are ready.'),
      upToDateReplicas: z.int().default(0).describe('Machines that match the claim.'),
      allowedCIDRs: z
        .array(z.string().min(1))
        .optional()
        .describe('Network blocks of the claim that were accepted: a limit that comes later leaves them.'),
    })
    .optional()
    .describe('The control plane as observed.'),
  certificateAuthority: z
    .string()
    .max(65_536)
    .regex(/^LS0tLS1CRUdJTiBDRVJU[A-Za-z0-9+/]+={0,2}$/, {
      error: 'is not a certificate; accepted: PEM in base64',
    })
    .optional()
    .describe(
      'Public CA certificates of the Kubernetes API, PEM in base64. Only set if the cloud runs the control plane; otherwise the certificate authorities are in Secrets.',
    ),
  certificates: z
    .looseObject({
      caCertHash: z
        .string()
        .describe(
          'SHA-256 of the cluster CA’s public key, in the format of kubeadm. Once it is set, the CA Secrets must exist; they are never created again.',
        ),
      etcd: z
        .enum(['Local', 'External'])
        .optional()
        .describe(
          'Where etcd runs. External: outside this cluster. Default: on the control-plane machines. It cannot be changed.',
        ),
      provider: z.string().optional().describe('Bootstrap provider that the Secrets belong to. It cannot be changed.'),
      secrets: z
        .record(z.string(), SecretRecord)
        .optional()
        .describe('Record of each Secret, by composition resource name. A recorded Secret is never created again.'),
    })
    .optional()
    .describe('The certificate authorities of the cluster.'),
  addons: z
    .looseObject({
      defaults: z
        .string()
        .optional()
        .describe(
          'Installed: the Cluster gets the defaults of its Composition. Left: it is older than they are, and only gets those that its claim names.',
        ),
      version: z
        .string()
        .optional()
        .describe(
          'Kubernetes version that the add-ons are chosen for and are ready with. Workers do not run a newer minor.',
        ),
    })
    .optional()
    .describe('The add-ons of the cluster.'),
  kubeconfigSecretRef: z
    .looseObject({ name: z.string().describe('Name of the Secret; its key is value.') })
    .optional()
    .describe('Secret with the administrator’s kubeconfig.'),
});

/** Crossplane v1 wrote connection details where a claim said. */
const NO_CONNECTION_SECRET =
  'none, since the kubeconfig is in Secret <cluster>-kubeconfig, which status.kubeconfigSecretRef names';

const Spec = withoutFields(ClusterSpec.extend(machinery), {
  writeConnectionSecretToRef: NO_CONNECTION_SECRET,
  publishConnectionDetailsTo: NO_CONNECTION_SECRET,
});

export const Cluster = composite('Cluster', Spec, ClusterStatus);

export type SecretRecord = z.output<typeof SecretRecord>;
export type ClusterSpec = z.output<typeof ClusterSpec>;
export type ClusterStatus = z.output<typeof ClusterStatus>;
export type Cluster = z.output<typeof Cluster>;
