/** The part of the input only AWS understands. */
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
      .describe('Part of the names of the rules’ objects, such as bgp.'),
    description: z.string().min(1).max(255).describe('What the rule is for; AWS shows it.'),
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

export const AwsInput = z.strictObject({
  natGateways: z
    .enum(['PerZone', 'Single'])
    .default('PerZone')
    .describe(
      'PerZone: a zone that fails takes only itself offline. Single: one for all zones, cheaper. An existing cluster keeps what it has.',
    ),
  cniRules: z
    .array(NodeRule)
    .max(16)
    .optional()
    .describe(
      'What nodes and control plane may send each other for the pod network. Left out, the rules of the pod network that usually goes with the bootstrap provider.',
    ),
  nodePortCIDRs: z
    .array(cidr())
    .max(32)
    .prefault(['0.0.0.0/0'])
    .describe('Who may reach NodePort Services on the nodes.'),
  crossZoneLoadBalancing: z
    .boolean()
    .default(true)
    .describe('Whether the API load balancer sends traffic to machines of other zones.'),
  ebsCSIPolicy: z
    .boolean()
    .default(true)
    .describe('Whether control-plane machines may do what the EBS CSI controller does.'),
  permissionsBoundary: z
    .string()
    .regex(/^arn:[a-z-]+:iam::[0-9]{12}:policy\/.+$/, { error: 'is not the ARN of an IAM policy' })
    .optional()
    .describe('ARN of the policy that bounds the roles composed here.'),
});

export type AwsInput = z.output<typeof AwsInput>;
