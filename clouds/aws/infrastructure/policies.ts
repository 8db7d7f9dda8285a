/**
 * IAM policies as JSON text with sorted keys: for the cloud provider, the image credentials of the kubelet, sessions
 * with Systems Manager, the EBS CSI controller, and the first boot. The lists are those of Cluster API.
 */
import { canonical } from '#lib/api/json.ts';

const AUTOSCALING = ['DescribeAutoScalingGroups', 'DescribeLaunchConfigurations', 'DescribeTags'];

const CLOUD_PROVIDER_EC2 = [
  'AssignIpv6Addresses',
  'AttachVolume',
  'AuthorizeSecurityGroupIngress',
  'CreateRoute',
  'CreateSecurityGroup',
  'CreateTags',
  'CreateVolume',
  'DeleteRoute',
  'DeleteSecurityGroup',
  'DeleteVolume',
  'DescribeImages',
  'DescribeInstances',
  'DescribeRegions',
  'DescribeRouteTables',
  'DescribeSecurityGroups',
  'DescribeSubnets',
  'DescribeVolumes',
  'DescribeVpcs',
  'DetachVolume',
  'ModifyInstanceAttribute',
  'ModifyVolume',
  'RevokeSecurityGroupIngress',
];

const LOAD_BALANCING = [
  'AddTags',
  'ApplySecurityGroupsToLoadBalancer',
  'AttachLoadBalancerToSubnets',
  'ConfigureHealthCheck',
  'CreateListener',
  'CreateLoadBalancer',
  'CreateLoadBalancerListeners',
  'CreateLoadBalancerPolicy',
  'CreateTargetGroup',
  'DeleteListener',
  'DeleteLoadBalancer',
  'DeleteLoadBalancerListeners',
  'DeleteTargetGroup',
  'DeregisterInstancesFromLoadBalancer',
  'DeregisterTargets',
  'DescribeListeners',
  'DescribeLoadBalancerAttributes',
  'DescribeLoadBalancerPolicies',
  'DescribeLoadBalancers',
  'DescribeTargetGroups',
  'DescribeTargetHealth',
  'DetachLoadBalancerFromSubnets',
  'ModifyListener',
  'ModifyLoadBalancerAttributes',
  'ModifyTargetGroup',
  'RegisterInstancesWithLoadBalancer',
  'RegisterTargets',
  'SetLoadBalancerPoliciesForBackendServer',
  'SetLoadBalancerPoliciesOfListener',
  'SetSecurityGroups',
];

const KUBELET_EC2 = [
  'AssignIpv6Addresses',
  'CreateTags',
  'DescribeInstanceTypes',
  'DescribeInstances',
  'DescribeNetworkInterfaces',
  'DescribeRegions',
  'DescribeTags',
];

const IMAGES = [
  'BatchCheckLayerAvailability',
  'BatchGetImage',
  'DescribeRepositories',
  'GetAuthorizationToken',
  'GetDownloadUrlForLayer',
  'GetRepositoryPolicy',
  'ListImages',
];

const CHANNELS = ['CreateControlChannel', 'CreateDataChannel', 'OpenControlChannel', 'OpenDataChannel'];

const EBS_CSI = [
  'AttachVolume',
  'CreateSnapshot',
  'CreateTags',
  'CreateVolume',
  'DeleteSnapshot',
  'DeleteTags',
  'DeleteVolume',
  'DescribeAvailabilityZones',
  'DescribeInstances',
  'DescribeSnapshots',
  'DescribeTags',
  'DescribeVolumes',
  'DescribeVolumesModifications',
  'DetachVolume',
  'ModifyVolume',
];

const of = (service: string, actions: readonly string[]): readonly string[] =>
  actions.map((action) => `${service}:${action}`);

const KUBELET = [...of('ec2', KUBELET_EC2), ...of('ecr', IMAGES)];
const SESSION = ['ssm:UpdateInstanceInformation', ...of('ssmmessages', CHANNELS), 's3:GetEncryptionConfiguration'];
const FIRST_BOOT = of('secretsmanager', ['DeleteSecret', 'GetSecretValue']);

const CLOUD_PROVIDER = [
  ...of('autoscaling', AUTOSCALING),
  ...of('ec2', CLOUD_PROVIDER_EC2),
  ...of('elasticloadbalancing', LOAD_BALANCING),
  'iam:CreateServiceLinkedRole',
  'kms:DescribeKey',
];

/** A control-plane machine also runs a kubelet. @param secrets  ARN pattern of the secrets its machines boot from */
export function controlPlanePolicy(secrets: string, ebsCSI: boolean): string {
  return policy([
    ['CloudProvider', CLOUD_PROVIDER],
    ['Kubelet', KUBELET],
    ['Session', SESSION],
    ['FirstBoot', FIRST_BOOT, secrets],
    ...(ebsCSI ? [['EbsCsi', of('ec2', EBS_CSI)] as const] : []),
  ]);
}

/** @param secrets  ARN pattern of the secrets its machines boot from */
export function nodePolicy(secrets: string): string {
  return policy([
    ['Kubelet', KUBELET],
    ['Session', SESSION],
    ['FirstBoot', FIRST_BOOT, secrets],
  ]);
}

/** Only EC2 may assume the role for a machine. */
export function trustPolicy(region: string): string {
  const Service = region.startsWith('cn-') ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
  const Statement = [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }];
  return canonical({ Version: '2012-10-17', Statement });
}

function policy(
  statements: readonly (readonly [sid: string, actions: readonly string[], resource?: string])[],
): string {
  const Statement = statements.map(([Sid, Action, Resource = '*']) => ({ Sid, Effect: 'Allow', Action, Resource }));
  return canonical({ Version: '2012-10-17', Statement });
}
