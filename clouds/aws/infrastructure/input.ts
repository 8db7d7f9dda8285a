/** The AWS section of the input. */
import { z } from 'zod';
import { cidr } from '#lib/api/fields/text.ts';
import { withRule } from '#lib/api/schema/rules.ts';

const port = () => z.int().min(0).max(65_535);

const NodeRule = withRule(
  z.strictObject({
    name: z
      .string()
      .min(1)
      .max(20)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
        error: 'is not a rule name; accepted: lower-case letters, digits and -',
      })
      .describe('Used in the names of the rule objects, such as bgp.'),
    description: z.string().min(1).max(255).describe('Purpose of the rule, shown by AWS.'),
    protocol: z
      .string()
      .regex(/^(tcp|udp|-1|[0-9]{1,3})$/, {
        error: 'is not a protocol; accepted: tcp, udp, -1 (all) or a protocol number such as 4',
      })
      .describe('tcp, udp, -1 for all, or a protocol number.'),
    fromPort: port().optional().describe('First port; tcp and udp only.'),
    toPort: port().optional().describe('Last port; tcp and udp only.'),
  }),
  {
    cel: "(self.protocol in ['tcp', 'udp']) == (has(self.fromPort) && has(self.toPort)) && has(self.fromPort) == has(self.toPort) && (!has(self.fromPort) || self.fromPort <= self.toPort)",
    holds: ({ protocol, fromPort, toPort }) =>
      protocol === 'tcp' || protocol === 'udp'
        ? fromPort !== undefined && toPort !== undefined && fromPort <= toPort
        : fromPort === undefined && toPort === undefined,
    message: 'must have fromPort and toPort, in this order, with tcp and udp, and no ports with another protocol',
  },
);

const FlowLogs = withRule(
  z.strictObject({
    destination: z
      .string()
      .max(2048)
      .regex(/^arn:[a-z-]+:(s3:::[a-z0-9.-]{3,63}(\/[^\s]*)?|logs:[a-z0-9-]+:[0-9]{12}:log-group:[A-Za-z0-9._/#-]+)$/, {
        error: 'is not accepted; accepted: the ARN of an S3 bucket, or of a CloudWatch log group without :* at its end',
      })
      .describe(
        'What receives the records. A bucket may have a folder: /name. A log group must be in the region of the cluster.',
      ),
    role: z
      .string()
      .max(2048)
      .regex(/^arn:[a-z-]+:iam::[0-9]{12}:role\/.+$/, { error: 'is not the ARN of an IAM role' })
      .optional()
      .describe(
        'ARN of the role that writes to the log group. A bucket needs none: its own policy allows the delivery.',
      ),
    trafficType: z.enum(['ALL', 'ACCEPT', 'REJECT']).default('ALL').describe('Traffic that is recorded.'),
    maxAggregationSeconds: withRule(z.int(), {
      cel: 'self in [60, 600]',
      holds: (seconds) => seconds === 60 || seconds === 600,
      message: 'is not accepted; accepted: 60 or 600',
    })
      .default(600)
      .describe('Longest time that one record covers: 60 or 600.'),
  }),
  {
    cel: "self.destination.contains(':log-group:') == has(self.role)",
    holds: ({ destination, role }) => destination.includes(':log-group:') === (role !== undefined),
    message: 'must have a role with a log group, and none with a bucket',
  },
);

export type FlowLogs = z.output<typeof FlowLogs>;

export const AwsInput = z.strictObject({
  natGateways: z
    .enum(['PerZone', 'Single'])
    .default('PerZone')
    .describe(
      'NAT gateways. PerZone: one for each zone, so that a failed zone does not affect the others. Single: one for all zones, cheaper. An existing cluster keeps its gateways.',
    ),
  cniRules: z
    .array(NodeRule)
    .max(16)
    .optional()
    .describe(
      'Traffic that nodes and the control plane may exchange for the pod network. Default: the rules of the pod network that is usually used with the bootstrap provider.',
    ),
  nodePortCIDRs: z
    .array(cidr())
    .max(32)
    .prefault([])
    .describe(
      'Network blocks that may reach NodePort Services on the nodes. Load balancers of Services reach them anyway. Default: none.',
    ),
  crossZoneLoadBalancing: z
    .boolean()
    .default(true)
    .describe('Whether the API load balancer sends traffic to machines of other zones.'),
  loadBalancerProtection: z
    .boolean()
    .default(false)
    .describe(
      'Whether AWS refuses to delete the API load balancer. The deletion of a Cluster then waits until somebody turns it off.',
    ),
  ebsCSIPolicy: z
    .boolean()
    .default(true)
    .describe('Whether control-plane machines have the permissions of the EBS CSI controller.'),
  controllerTags: z
    .array(
      z
        .string()
        .min(1)
        .max(128)
        .regex(/^[A-Za-z0-9 _.:/=+@-]+$/, { error: 'is not the key of a tag' }),
    )
    .max(20)
    .prefault([])
    .describe(
      'Keys of further tags that control-plane machines may write to their load balancers, volumes and snapshots: those that Services, StorageClasses and settings of the EBS CSI controller name. Any other request with such a tag is denied, because tags tell whose an object is. Default: none but those that the cloud provider and the EBS CSI controller write by themselves.',
    ),
  flowLogs: FlowLogs.optional().describe(
    'Where the traffic of composed networks is recorded, as flow logs of the VPC. New clusters wait for it. Default: nowhere. The owner of an existing network does this.',
  ),
  permissionsBoundary: z
    .string()
    .regex(/^arn:[a-z-]+:iam::[0-9]{12}:policy\/.+$/, { error: 'is not the ARN of an IAM policy' })
    .optional()
    .describe('ARN of the permissions boundary of the composed roles.'),
});

export type AwsInput = z.output<typeof AwsInput>;
