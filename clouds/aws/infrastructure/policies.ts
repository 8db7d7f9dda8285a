/**
 * IAM policies as JSON text with sorted keys: for the cloud provider, the image credentials of the kubelet, sessions
 * with Systems Manager, the EBS CSI controller, and the first boot. The lists are those of the projects themselves.
 * What changes something needs the cluster tag, on the object or in the request that creates it: clusters may share an
 * account, and none may touch the objects of another. No object gets a tag that these projects do not write: a
 * foreign tag could make the object belong to another cluster.
 */
import { canonical, type JsonObject } from '#lib/api/json.ts';
import { INSTANCE_TAG } from '../instance-tag.ts';
import { CLUSTER_TAG } from './cluster-id.ts';

export interface Permitted {
  /** Of the cluster in AWS. */
  readonly id: string;
  /** ARN pattern of the secrets its machines boot from. */
  readonly secrets: string;
}

export interface PermittedControlPlane extends Permitted {
  /** Of an existing network, which has no cluster tag; undefined: composed. */
  readonly vpc: string | undefined;
  readonly ebsCSI: boolean;
  /** Tag keys that the platform allows besides the keys that the projects write. */
  readonly tagKeys: readonly string[];
}

interface Statement {
  readonly sid: string;
  /** @default Allow */
  readonly effect?: 'Deny';
  readonly actions: readonly string[];
  /** @default everything */
  readonly resource?: string;
  readonly condition?: JsonObject;
}

const of = (service: string, actions: readonly string[]): readonly string[] =>
  actions.map((action) => `${service}:${action}`);
const ec2 = (type: string, id = '*'): string => `arn:*:ec2:*:*:${type}/${id}`;
/** A snapshot's ARN has no account. */
const SNAPSHOTS = 'arn:*:ec2:*::snapshot/*';

const KUBELET = [
  ...of('ec2', ['DescribeInstanceTypes', 'DescribeInstances', 'DescribeRegions', 'DescribeTags']),
  ...of('ecr', [
    'BatchCheckLayerAvailability',
    'BatchGetImage',
    'DescribeRepositories',
    'GetAuthorizationToken',
    'GetDownloadUrlForLayer',
    'GetRepositoryPolicy',
    'ListImages',
  ]),
];

const SESSION = [
  'ssm:UpdateInstanceInformation',
  ...of('ssmmessages', ['CreateControlChannel', 'CreateDataChannel', 'OpenControlChannel', 'OpenDataChannel']),
  's3:GetEncryptionConfiguration',
];

const FIRST_BOOT = of('secretsmanager', ['DeleteSecret', 'GetSecretValue']);

/** List requests cannot be limited by tag. */
const LOOK = [
  ...of('autoscaling', ['DescribeAutoScalingGroups', 'DescribeLaunchConfigurations', 'DescribeTags']),
  ...of('ec2', [
    'DescribeAvailabilityZones',
    'DescribeImages',
    'DescribeInstanceTopology',
    'DescribeRouteTables',
    'DescribeSecurityGroups',
    'DescribeSubnets',
    'DescribeVolumes',
    'DescribeVpcs',
  ]),
  ...of('elasticloadbalancing', [
    'DescribeListeners',
    'DescribeLoadBalancerAttributes',
    'DescribeLoadBalancerPolicies',
    'DescribeLoadBalancers',
    'DescribeTargetGroupAttributes',
    'DescribeTargetGroups',
    'DescribeTargetHealth',
  ]),
  'kms:DescribeKey',
];

const CLOUD_PROVIDER_CHANGES = [
  ...of('ec2', [
    'AuthorizeSecurityGroupIngress',
    'CreateRoute',
    'DeleteRoute',
    'DeleteSecurityGroup',
    'ModifyInstanceAttribute',
    'RevokeSecurityGroupIngress',
  ]),
  ...of('elasticloadbalancing', [
    'ApplySecurityGroupsToLoadBalancer',
    'AttachLoadBalancerToSubnets',
    'ConfigureHealthCheck',
    'CreateListener',
    'CreateLoadBalancerListeners',
    'CreateLoadBalancerPolicy',
    'DeleteListener',
    'DeleteLoadBalancer',
    'DeleteLoadBalancerListeners',
    'DeleteTargetGroup',
    'DeregisterInstancesFromLoadBalancer',
    'DeregisterTargets',
    'DetachLoadBalancerFromSubnets',
    'ModifyListener',
    'ModifyLoadBalancerAttributes',
    'ModifyTargetGroup',
    'ModifyTargetGroupAttributes',
    'RegisterInstancesWithLoadBalancer',
    'RegisterTargets',
    'SetLoadBalancerPoliciesForBackendServer',
    'SetLoadBalancerPoliciesOfListener',
    'SetSecurityGroups',
  ]),
];

const EBS_CSI_LOOK = of('ec2', ['DescribeSnapshots', 'DescribeVolumesModifications']);
const EBS_CSI_CHANGES = of('ec2', ['AttachVolume', 'DeleteSnapshot', 'DeleteVolume', 'DetachVolume', 'ModifyVolume']);

/** By these, others find or limit what is of a cluster: the value is its id, and must be the own one. */
const ID_TAGS = { OtherName: 'ebs.csi.aws.com/cluster-name', OtherCluster: 'KubernetesCluster' };
/** What the cloud provider and the EBS CSI controller write, besides the cluster tag; * stands for any text. */
const TAG_KEYS = [
  'CSIVolumeName',
  'CSIVolumeSnapshotName',
  'Name',
  'ebs.csi.aws.com/AllowAutoIOPSIncreaseOnModify',
  'ebs.csi.aws.com/IOPSPerGb',
  'ebs.csi.aws.com/cluster',
  ...Object.values(ID_TAGS),
  'kubernetes.io/created-for/*',
  'kubernetes.io/service-name',
];
/** Whatever writes tags: a request without tags meets no condition on them. By name, the actions would exceed a role. */
const TAGGING = ['ec2:*', 'elasticloadbalancing:*'];

/** A control-plane machine also runs a kubelet. */
export function controlPlanePolicy(permitted: PermittedControlPlane): string {
  const { ebsCSI, id, vpc } = permitted;
  const owned = ownedBy(id);
  const asOwned = requestedFor(id);
  return policy([
    ...onEveryMachine(permitted),
    { sid: 'Look', actions: [...LOOK, ...(ebsCSI ? EBS_CSI_LOOK : [])] },
    {
      sid: 'Change',
      actions: [...CLOUD_PROVIDER_CHANGES, ...(ebsCSI ? EBS_CSI_CHANGES : [])],
      condition: owned,
    },
    {
      sid: 'Create',
      actions: of('elasticloadbalancing', ['CreateLoadBalancer', 'CreateTargetGroup']),
      condition: asOwned,
    },
    {
      sid: 'CreateGroup',
      actions: ['ec2:CreateSecurityGroup'],
      resource: ec2('security-group'),
      condition: asOwned,
    },
    {
      sid: 'CreateGroupIn',
      actions: ['ec2:CreateSecurityGroup'],
      ...(vpc === undefined ? { resource: ec2('vpc'), condition: owned } : { resource: ec2('vpc', vpc) }),
    },
    ...(ebsCSI ? storage(owned, asOwned) : []),
    ...tagging(permitted),
    {
      sid: 'ServiceRole',
      actions: ['iam:CreateServiceLinkedRole'],
      condition: { StringEquals: { 'iam:AWSServiceName': 'elasticloadbalancing.amazonaws.com' } },
    },
  ]);
}

export function nodePolicy(permitted: Permitted): string {
  return policy(onEveryMachine(permitted));
}

/** Only EC2 may assume the role for a machine. */
export function trustPolicy(region: string): string {
  const Service = region.startsWith('cn-') ? 'ec2.amazonaws.com.cn' : 'ec2.amazonaws.com';
  const Statement = [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }];
  return canonical({ Version: '2012-10-17', Statement });
}

function onEveryMachine({ secrets }: Permitted): readonly Statement[] {
  return [
    { sid: 'Kubelet', actions: KUBELET },
    { sid: 'Session', actions: SESSION },
    // The variable has no value for anybody but an instance, and the tag is there once the instance is.
    {
      sid: 'FirstBoot',
      actions: FIRST_BOOT,
      resource: secrets,
      condition: { StringEquals: { [`aws:ResourceTag/${INSTANCE_TAG}`]: '${ec2:SourceInstanceARN}' } },
    },
    // With a key of the platform, Secrets Manager decrypts on behalf of the machine.
    {
      sid: 'FirstBootKey',
      actions: ['kms:Decrypt'],
      condition: { StringLike: { 'kms:EncryptionContext:SecretARN': secrets } },
    },
  ];
}

/** A volume is created from a snapshot, and a snapshot from a volume: both objects are checked. */
function storage(owned: JsonObject, asOwned: JsonObject): readonly Statement[] {
  return [
    { sid: 'Volume', actions: ['ec2:CreateVolume'], resource: ec2('volume'), condition: asOwned },
    { sid: 'VolumeFrom', actions: ['ec2:CreateVolume'], resource: SNAPSHOTS, condition: owned },
    { sid: 'Snapshot', actions: ['ec2:CreateSnapshot'], resource: SNAPSHOTS, condition: asOwned },
    { sid: 'SnapshotFrom', actions: ['ec2:CreateSnapshot'], resource: ec2('volume'), condition: owned },
  ];
}

/** On creation with the cluster tag, later without it, and never with a tag that is not on the list. */
function tagging({ id, ebsCSI, tagKeys }: PermittedControlPlane): readonly Statement[] {
  const created = ['CreateSecurityGroup', ...(ebsCSI ? ['CreateSnapshot', 'CreateVolume'] : [])];
  const balancing = ['CreateListener', 'CreateLoadBalancer', 'CreateTargetGroup'];
  const asOwned = requestedFor(id)['StringEquals'] as JsonObject;
  const own = `${CLUSTER_TAG}${id}`;
  return [
    {
      sid: 'TagNew',
      actions: ['ec2:CreateTags'],
      condition: { StringEquals: { ...asOwned, 'ec2:CreateAction': created } },
    },
    {
      sid: 'TagNewBalancer',
      actions: ['elasticloadbalancing:AddTags'],
      condition: { StringEquals: { ...asOwned, 'elasticloadbalancing:CreateAction': balancing } },
    },
    {
      sid: 'Tag',
      actions: ['ec2:CreateTags', ...(ebsCSI ? ['ec2:DeleteTags'] : []), 'elasticloadbalancing:AddTags'],
      condition: {
        ...ownedBy(id),
        'ForAllValues:StringNotEquals': { 'aws:TagKeys': own },
        // A request without keys deletes every tag.
        Null: { 'aws:TagKeys': 'false' },
      },
    },
    // Unlike keys of RequestTag, values of TagKeys match with case.
    {
      sid: 'OtherTags',
      effect: 'Deny',
      actions: TAGGING,
      condition: { 'ForAnyValue:StringNotLike': { 'aws:TagKeys': [own, ...TAG_KEYS, ...tagKeys] } },
    },
    ...Object.entries(ID_TAGS).map(([sid, tag]) => otherId(sid, `aws:RequestTag/${tag}`, id)),
  ];
}

/** Without the tag, StringNotEquals is true as well. */
function otherId(sid: string, key: string, id: string): Statement {
  const condition = { Null: { [key]: 'false' }, StringNotEquals: { [key]: id } };
  return { sid, effect: 'Deny', actions: TAGGING, condition };
}

function ownedBy(id: string): JsonObject {
  return { StringEquals: { [`aws:ResourceTag/${CLUSTER_TAG}${id}`]: 'owned' } };
}

function requestedFor(id: string): JsonObject {
  return { StringEquals: { [`aws:RequestTag/${CLUSTER_TAG}${id}`]: 'owned' } };
}

function policy(statements: readonly Statement[]): string {
  const Statement = statements.map(({ sid, effect = 'Allow', actions, resource = '*', condition }) => ({
    Sid: sid,
    Effect: effect,
    Action: actions,
    Resource: resource,
    ...(condition === undefined ? {} : { Condition: condition }),
  }));
  return canonical({ Version: '2012-10-17', Statement });
}
