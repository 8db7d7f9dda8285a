/** Cluster: what an application team claims. */
import { z } from 'zod';
import { overlaps, parseCidr } from '../cidr.ts';
import { InfrastructureStatus } from '../contracts/infrastructure-status.ts';
import { ClusterBootstrap } from '../fields/bootstrap.ts';
import { HealthPolicy } from '../fields/health.ts';
import { Existing, overrides } from '../fields/infrastructure.ts';
import { MachineTemplate } from '../fields/machine-template.ts';
import { nodeMarks } from '../fields/node-marks.ts';
import { Provisioning } from '../fields/provisioning.ts';
import { cidr, version } from '../fields/text.ts';
import { ControlPlaneUpdatePolicy } from '../fields/update.ts';
import { immutable, keepsPresence, withRule } from '../schema/rules.ts';
import { composite, machinery } from './composite.ts';

const builtIn = 'every node was built with it';

/** The three blocks pairwise; only blocks that parse are compared, the others are reported on their own. */
function areApart({ pods, services, nodes }: { pods: string; services: string; nodes: string }): boolean {
  const blocks = [pods, services, nodes].map(parseCidr).filter((block) => block !== undefined);
  return blocks.every((left, i) => blocks.slice(i + 1).every((right) => !overlaps(left, right)));
}

const Network = withRule(
  z.strictObject({
    pods: immutable(cidr(), builtIn).default('10.244.0.0/16').describe('Block that pod addresses come from.'),
    services: immutable(cidr(), builtIn).default('10.96.0.0/12').describe('Block that Service addresses come from.'),
    nodes: immutable(cidr(), 'a network cannot be renumbered')
      .default('10.0.0.0/16')
      .describe(
        'Block of the machines’ network, split into one public and one private subnet per zone. Not used with an existing network.',
      ),
    dnsDomain: immutable(
      z
        .string()
        .min(1)
        .max(253)
        .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, {
          error: 'is not a DNS domain; accepted: lower-case labels such as cluster.local',
        }),
      builtIn,
    )
      .default('cluster.local')
      .describe('Domain of Services and pods.'),
  }),
  {
    cel: [
      ['pods', 'services'],
      ['pods', 'nodes'],
      ['services', 'nodes'],
    ]
      .map(
        ([a, b]) =>
          `!cidr(self.${a}).containsIP(cidr(self.${b}).ip()) && !cidr(self.${b}).containsIP(cidr(self.${a}).ip())`,
      )
      .join(' && '),
    holds: areApart,
    message: 'must not overlap: pods, services and nodes need blocks of their own',
  },
);

const Endpoint = z.strictObject({
  host: z.string().min(1).max(253).describe('DNS name or address of the Kubernetes API.'),
  port: z.int().min(1).max(65_535).default(6443).describe('Port of the Kubernetes API.'),
});

const HELD = 'certificates and nodes hold it';

const ControlPlaneFields = z.strictObject({
  replicas: withRule(z.int().min(1).max(9), {
    cel: 'self % 2 == 1',
    holds: (count) => count % 2 === 1,
    message:
      'is not accepted; accepted: an odd number from 1 to 9, so that etcd keeps a majority when a machine is lost',
  })
    .default(3)
    .describe('Number of control-plane machines; odd.'),
  machine: MachineTemplate.describe('What each control-plane machine is made of.'),
  ...nodeMarks,
  endpoint: immutable(Endpoint, HELD)
    .optional()
    .describe(
      'A Kubernetes API endpoint that somebody else manages. Left out, the infrastructure makes a load balancer. Chosen once.',
    ),
  scheme: immutable(z.enum(['internet-facing', 'internal']), 'a load balancer keeps its scheme')
    .default('internet-facing')
    .describe('Whether the API load balancer has public addresses.'),
  allowedCIDRs: z.array(cidr()).min(1).max(32).prefault(['0.0.0.0/0']).describe('Who may reach the Kubernetes API.'),
});

const ControlPlane = keepsPresence(ControlPlaneFields, { endpoint: HELD });

export const ClusterSpec = z.strictObject({
  version: version().describe(
    'Kubernetes version of the control plane and, unless a pool says otherwise, of the nodes.',
  ),
  region: immutable(z.string().min(1).max(63), 'machines and networks cannot move').describe(
    'Where the cluster runs: a neutral word the Composition maps, or the cloud’s own name of the region.',
  ),
  network: Network.prefault({}).describe('Address blocks and DNS domain.'),
  controlPlane: ControlPlane.describe('The machines that run the Kubernetes API.'),
  bootstrap: ClusterBootstrap.prefault({}).describe('Who turns a host into a node.'),
  provisioning: Provisioning.prefault({}).describe('What runs on first boot, chosen apart from the bootstrap.'),
  infrastructure: z
    .strictObject({
      existing: immutable(Existing, 'a cluster cannot move to another network')
        .prefault({})
        .describe('Parts that somebody else manages.'),
      overrides,
    })
    .prefault({})
    .describe('The escape hatch to the cloud.'),
  update: ControlPlaneUpdatePolicy.prefault({}).describe('How control-plane machines are updated.'),
  health: HealthPolicy.prefault({}).describe('When a control-plane machine is replaced.'),
  paused: z.boolean().default(false).describe('Stops every change to existing machines of the control plane.'),
  deletionProtection: z
    .boolean()
    .default(false)
    .describe('Whether the API server refuses to delete this Cluster, until this is false again.'),
});

/** Loose where a later release may say more. */
const SecretRecord = z.looseObject({
  name: z.string().describe('Name of the Secret.'),
  origin: z
    .string()
    .describe('Made: by the bootstrap step, which composes it. Supplied: by somebody else, whose it stays.'),
  fingerprint: z
    .string()
    .optional()
    .describe('SHA-256 of the public key or, of what has none, of the data. Left out for a text that people chose.'),
});

export const ClusterStatus = z.looseObject({
  infrastructure: InfrastructureStatus.optional().describe('What pools need to know; a published contract.'),
  controlPlaneEndpoint: Endpoint.optional().describe('Where the Kubernetes API answers.'),
  controlPlane: z
    .looseObject({
      initialized: z
        .boolean()
        .default(false)
        .describe('True for ever once the first control-plane machine became a node.'),
      version: z.string().optional().describe('The oldest Kubernetes version among control-plane nodes.'),
      replicas: z.int().default(0).describe('Machines that exist.'),
      readyReplicas: z.int().default(0).describe('Machines that are ready.'),
      upToDateReplicas: z.int().default(0).describe('Machines that are what the claim asks for.'),
    })
    .optional()
    .describe('The control plane as observed.'),
  certificateAuthority: z
    .string()
    .max(65_536)
    .regex(/^LS0tLS1CRUdJTiBDRVJU[A-Za-z0-9+/]+={0,2}$/, {
      error: 'is no certificate; accepted: PEM in base64',
    })
    .optional()
    .describe(
      'Certificates in PEM, in base64, that nodes trust the Kubernetes API by: public. The infrastructure tells it where the cloud runs the control plane; everywhere else the authorities are Secrets.',
    ),
  certificates: z
    .looseObject({
      caCertHash: z
        .string()
        .describe(
          'SHA-256 of the cluster CA’s public key, as kubeadm writes it. Once it is here the CA Secrets must exist; they are never made again.',
        ),
      etcd: z
        .enum(['Local', 'External'])
        .optional()
        .describe('Whether somebody else runs etcd. Left out, control-plane machines do. It cannot move.'),
      provider: z.string().optional().describe('Bootstrap provider that the Secrets are of. It cannot change.'),
      secrets: z
        .record(z.string(), SecretRecord)
        .optional()
        .describe(
          'What is recorded of each Secret, by composition resource name. One that is here is never made again.',
        ),
    })
    .optional()
    .describe('The certificate authorities of the cluster.'),
  kubeconfigSecretRef: z
    .looseObject({ name: z.string().describe('Name of the Secret; its key is value.') })
    .optional()
    .describe('Where the administrator’s kubeconfig is.'),
});

export const Cluster = composite('Cluster', ClusterSpec.extend(machinery), ClusterStatus);

export type SecretRecord = z.output<typeof SecretRecord>;
export type ClusterSpec = z.output<typeof ClusterSpec>;
export type ClusterStatus = z.output<typeof ClusterStatus>;
export type Cluster = z.output<typeof Cluster>;
