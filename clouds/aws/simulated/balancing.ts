/** Network load balancers, their listeners, target groups and attachments. */
import { isJsonObject, type JsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { ACCOUNT, awsKind } from './kind.ts';

function balancingArn(type: string): CloudKind['arn'] {
  return (id, attributes) =>
    `arn:aws:elasticloadbalancing:${regionOf(attributes)}:${ACCOUNT}:${type}/${stringAt(attributes, 'name') ?? id}/${id}`;
}

function regionOf(attributes: JsonObject): string {
  return stringAt(attributes, 'region') ?? '';
}

export const BALANCING: readonly CloudKind[] = [
  awsKind('elbv2', {
    kind: 'LB',
    title: 'ELBv2 Load Balancer',
    idPrefix: 'lb-',
    arn: balancingArn('loadbalancer/net'),
    seconds: { create: [120, 180], update: [3, 10], delete: [10, 30] },
    forceNew: ['name', 'internal', 'loadBalancerType', 'region'],
    references: { subnets: 'Subnet', securityGroups: 'SecurityGroup' },
    lists: { subnets: 'set', securityGroups: 'set' },
    refusesDeletion: ({ enableDeletionProtection, name }) =>
      enableDeletionProtection === true
        ? `api error OperationNotPermitted: Load balancer '${typeof name === 'string' ? name : ''}' cannot be deleted because deletion protection is enabled`
        : undefined,
    created: ({ id, attributes }) => ({
      outputs: {
        dnsName: `${stringAt(attributes, 'name') ?? id}-${id.slice(3, 19)}.elb.${regionOf(attributes)}.amazonaws.com`,
        zoneId: `Z${id.slice(3, 16).toUpperCase()}`,
      },
    }),
  }),
  awsKind('elbv2', {
    kind: 'LBTargetGroup',
    title: 'ELBv2 Target Group',
    idPrefix: 'tg-',
    arn: balancingArn('targetgroup'),
    forceNew: ['name', 'port', 'protocol', 'protocolVersion', 'targetType', 'vpcId', 'ipAddressType', 'region'],
    references: { vpcId: 'VPC' },
    blockedBy: { LBListener: ['defaultAction.targetGroupArn'] },
    lateInitialized: ['stickiness'],
    created: ({ attributes }) => ({ attributes: { stickiness: { enabled: false, type: 'source_ip' }, ...attributes } }),
    defaulted: (wanted) => {
      const { stickiness } = wanted;
      return isJsonObject(stickiness) ? { ...wanted, stickiness: { enabled: true, ...stickiness } } : wanted;
    },
  }),
  awsKind('elbv2', {
    kind: 'LBListener',
    title: 'ELBv2 Listener',
    idPrefix: 'listener-',
    arn: balancingArn('listener/net'),
    forceNew: ['loadBalancerArn', 'region'],
    references: { loadBalancerArn: 'LB', targetGroupArn: 'LBTargetGroup' },
    lists: { defaultAction: 'index' },
  }),
  awsKind('elbv2', {
    kind: 'LBTargetGroupAttachment',
    withoutArn: true,
    title: 'ELBv2 Target Group Attachment',
    idPrefix: 'attachment-',
    arn: balancingArn('attachment'),
    forceNew: ['targetGroupArn', 'targetId', 'port', 'availabilityZone', 'region'],
    references: { targetGroupArn: 'LBTargetGroup' },
    refuses: (attributes, find) => {
      const target = stringAt(attributes, 'targetId') ?? '';
      if (find(target) !== undefined) return undefined;
      return `api error InvalidTarget: The following targets are not in a running state and cannot be registered: '${target}'`;
    },
  }),
];
