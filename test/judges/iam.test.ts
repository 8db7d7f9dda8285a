/** What machines may do in an account that clusters share, as an evaluator of IAM policies sees it. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, type JsonObject } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { controlPlanePolicy, nodePolicy } from '../../clouds/aws/infrastructure/policies.ts';
import { INSTANCE_TAG } from '../../clouds/aws/instance-tag.ts';
import { evaluated, iamEvaluator, type IamRequest } from './iam.ts';

const found = iamEvaluator();
if ('missing' in found) process.stdout.write(`skipped: requests of machines to AWS: ${found.missing}\n`);

const ID = 'team-a-prod-x7k2m9';
const OURS = `kubernetes.io/cluster/${ID}`;
const ANOTHERS = 'kubernetes.io/cluster/team-b-prod-c4d5f6';
const secret = (id: string, role = 'node') =>
  `arn:aws:secretsmanager:eu-west-1:123456789012:secret:slipway/${id}/${role}/m-1-AbCdEf`;
const SECRETS = `arn:*:secretsmanager:eu-west-1:*:secret:slipway/${ID}/node/*`;
const PERMITTED = { id: ID, secrets: SECRETS, vpc: undefined, ebsCSI: true, tagKeys: [] };
const CONTROL_PLANE = controlPlanePolicy(PERMITTED);
const NODE = nodePolicy({ id: ID, secrets: SECRETS });

/** Snapshots are shared between accounts: their ARN has none. */
const ec2 = (type: string, id: string) =>
  `arn:aws:ec2:eu-west-1:${type === 'snapshot' ? '' : '123456789012'}:${type}/${id}`;
const balancing = (id: string) => `arn:aws:elasticloadbalancing:eu-west-1:123456789012:${id}`;
const on = (tag: string) => ({ [`aws:ResourceTag/${tag}`]: 'owned' });
const asking = (tag: string) => ({ [`aws:RequestTag/${tag}`]: 'owned', 'aws:TagKeys': [tag] });

interface Change {
  readonly action: string;
  readonly resource: string;
  readonly context: (tag: string) => Record<string, string | string[]>;
}

/** What the cloud provider and the EBS CSI controller do, each request with the tags that they send. */
const CHANGES: readonly Change[] = [
  ...(
    [
      ['ec2:AuthorizeSecurityGroupIngress', ec2('security-group', 'sg-1')],
      ['ec2:RevokeSecurityGroupIngress', ec2('security-group', 'sg-1')],
      ['ec2:DeleteSecurityGroup', ec2('security-group', 'sg-1')],
      ['ec2:CreateRoute', ec2('route-table', 'rtb-1')],
      ['ec2:DeleteRoute', ec2('route-table', 'rtb-1')],
      ['ec2:ModifyInstanceAttribute', ec2('instance', 'i-1')],
      ['ec2:AttachVolume', ec2('instance', 'i-1')],
      ['ec2:AttachVolume', ec2('volume', 'vol-1')],
      ['ec2:DetachVolume', ec2('volume', 'vol-1')],
      ['ec2:ModifyVolume', ec2('volume', 'vol-1')],
      ['ec2:DeleteVolume', ec2('volume', 'vol-1')],
      ['ec2:CreateSnapshot', ec2('volume', 'vol-1')],
      ['ec2:CreateVolume', ec2('snapshot', 'snap-1')],
      ['ec2:DeleteSnapshot', ec2('snapshot', 'snap-1')],
      ['ec2:CreateSecurityGroup', ec2('vpc', 'vpc-1')],
      ['elasticloadbalancing:CreateListener', balancing('loadbalancer/net/a1/1')],
      ['elasticloadbalancing:DeleteListener', balancing('listener/net/a1/1/2')],
      ['elasticloadbalancing:ModifyListener', balancing('listener/net/a1/1/2')],
      ['elasticloadbalancing:DeleteLoadBalancer', balancing('loadbalancer/net/a1/1')],
      ['elasticloadbalancing:DeleteLoadBalancer', balancing('loadbalancer/a1')],
      ['elasticloadbalancing:RegisterInstancesWithLoadBalancer', balancing('loadbalancer/a1')],
      ['elasticloadbalancing:RegisterTargets', balancing('targetgroup/k8s/1')],
      ['elasticloadbalancing:DeregisterTargets', balancing('targetgroup/k8s/1')],
      ['elasticloadbalancing:ModifyTargetGroup', balancing('targetgroup/k8s/1')],
      ['elasticloadbalancing:DeleteTargetGroup', balancing('targetgroup/k8s/1')],
      ['elasticloadbalancing:SetSecurityGroups', balancing('loadbalancer/net/a1/1')],
    ] as const
  ).map(([action, resource]) => ({ action, resource, context: on })),
  ...(
    [
      ['ec2:CreateVolume', ec2('volume', '*')],
      ['ec2:CreateSnapshot', ec2('snapshot', '*')],
      ['ec2:CreateSecurityGroup', ec2('security-group', '*')],
      ['elasticloadbalancing:CreateLoadBalancer', balancing('loadbalancer/net/a1/1')],
      ['elasticloadbalancing:CreateLoadBalancer', balancing('loadbalancer/a1')],
      ['elasticloadbalancing:CreateTargetGroup', balancing('targetgroup/k8s/1')],
    ] as const
  ).map(([action, resource]) => ({ action, resource, context: asking })),
  ...(['CreateVolume', 'CreateSnapshot', 'CreateSecurityGroup'] as const).map((creating) => ({
    action: 'ec2:CreateTags',
    resource: ec2(
      { CreateVolume: 'volume', CreateSnapshot: 'snapshot', CreateSecurityGroup: 'security-group' }[creating],
      '1',
    ),
    context: (tag: string) => ({ ...asking(tag), 'ec2:CreateAction': creating }),
  })),
  {
    action: 'elasticloadbalancing:AddTags',
    resource: balancing('loadbalancer/net/a1/1'),
    context: (tag) => ({ ...asking(tag), 'elasticloadbalancing:CreateAction': 'CreateLoadBalancer' }),
  },
  {
    action: 'elasticloadbalancing:AddTags',
    resource: balancing('loadbalancer/a1'),
    context: (tag) => ({ ...on(tag), 'aws:RequestTag/Name': 'x', 'aws:TagKeys': ['Name'] }),
  },
];

interface Installed {
  readonly name: string;
  readonly versions: readonly {
    readonly version: string;
    readonly values?: { readonly image: { readonly tag: string } };
  }[];
}

/** Charts and images that the Composition installs, whose sources were read for the tags that they write. */
const READ = {
  'aws-cloud-controller-manager': ['v1.35.2', 'v1.36.2', 'v1.37.1'],
  'aws-ebs-csi-driver': ['2.64.0'],
};

/** Every tag but that of the cluster, and where the sources write it; by the values that the Composition gives them. */
const WRITTEN = {
  // cloud-provider-aws, pkg/providers/v1/aws_loadbalancer.go, ensureLoadBalancerv2 and ensureLoadBalancer: on load
  // balancers, listeners and target groups. Security groups get the cluster tag alone, in aws.go, ensureSecurityGroup.
  'kubernetes.io/service-name': 'default/web',
  // aws-ebs-csi-driver, pkg/driver/controller.go, CreateVolume: on every volume.
  CSIVolumeName: 'pvc-1',
  'ebs.csi.aws.com/cluster': 'true',
  // The same, with --k8s-tag-cluster-id; CreateSnapshot writes all but KubernetesCluster.
  Name: `${ID}-dynamic-pvc-1`,
  KubernetesCluster: ID,
  'ebs.csi.aws.com/cluster-name': ID,
  // The same, with --extra-create-metadata of the provisioner, which the chart sets.
  'kubernetes.io/created-for/pvc/name': 'data',
  'kubernetes.io/created-for/pvc/namespace': 'default',
  'kubernetes.io/created-for/pv/name': 'pvc-1',
  // The same for parameters of a StorageClass, and controller_modify_volume.go for those of a VolumeAttributesClass.
  'ebs.csi.aws.com/IOPSPerGb': '50',
  'ebs.csi.aws.com/AllowAutoIOPSIncreaseOnModify': 'true',
  // controller.go, CreateSnapshot: on every snapshot.
  CSIVolumeSnapshotName: 'snapshot-1',
};

/** By these, somebody else takes an object for theirs, or has rights on it. */
const FOREIGN_TAGS = [
  { key: ANOTHERS, value: 'owned' },
  { key: 'Kubernetes.io/cluster/team-b-prod-c4d5f6', value: 'owned' },
  { key: 'KubernetesCluster', value: 'team-b-prod-c4d5f6' },
  { key: 'kubernetescluster', value: ID },
  { key: 'sigs.k8s.io/cluster-api-provider-aws/cluster/team-b-prod-c4d5f6', value: 'owned' },
  { key: 'ebs.csi.aws.com/cluster-name', value: 'team-b-prod-c4d5f6' },
  { key: 'elbv2.k8s.aws/cluster', value: 'another' },
  { key: 'karpenter.sh/nodepool', value: 'another' },
  { key: 'slipway.dev/claim', value: 'team-b/prod' },
  { key: 'crossplane-name', value: 'another' },
  { key: 'team', value: 'b' },
];

const LOOKS = [
  'autoscaling:DescribeAutoScalingGroups',
  'ec2:DescribeInstances',
  'ec2:DescribeVolumes',
  'ec2:DescribeSubnets',
  'elasticloadbalancing:DescribeLoadBalancers',
].map((action) => ({ action, resource: '*' }));

/** The request with further tags. */
const alsoTagged = ({ context = {}, ...rest }: IamRequest, tags: Readonly<Record<string, string>>): IamRequest => ({
  ...rest,
  context: {
    ...context,
    ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
    'aws:TagKeys': [context['aws:TagKeys'] ?? [], Object.keys(tags)].flat(),
  },
});
const creating = (action: string, resource: string): IamRequest => ({ action, resource, context: asking(OURS) });

const answers = (policy: string, requests: readonly IamRequest[]) =>
  'missing' in found ? [] : evaluated(found.path, policy, requests);
const requestsOn = (changes: readonly Change[], tag: string): readonly IamRequest[] =>
  changes.map(({ context, ...rest }) => ({ ...rest, context: context(tag) }));
const named = (requests: readonly IamRequest[], results: readonly string[]) =>
  requests.map(({ action, resource }, i) => `${action} ${resource}: ${results[i]}`);
const each = (requests: readonly IamRequest[], result: string) =>
  requests.map(({ action, resource }) => `${action} ${resource}: ${result}`);

test('the tags of the versions that the Composition installs are listed', () => {
  const [composition] = readObjects([join(ROOT, 'compositions/aws/cluster.yaml')]);
  const steps = at(composition, 'spec', 'pipeline') as unknown as readonly { readonly input?: JsonObject }[];
  const addons = steps.flatMap(({ input }) => (at(input, 'defaults') ?? []) as unknown as readonly Installed[]);
  const installed = Object.keys(READ).map((name) => [
    name,
    addons
      .filter((addon) => addon.name === name)
      .flatMap(({ versions }) => versions.map(({ version, values }) => values?.image.tag ?? version)),
  ]);
  expect(Object.fromEntries(installed)).toEqual(READ);
});

describe.skipIf('missing' in found)('a control-plane machine', () => {
  test('may do to objects of its cluster what the cloud provider and the EBS CSI controller do', () => {
    const requests = [...requestsOn(CHANGES, OURS), ...LOOKS];
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Allowed'));
  });

  test('may do none of it to objects of another cluster', () => {
    const requests = requestsOn(CHANGES, ANOTHERS);
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Denied'));
  });

  test('may do none of it to objects without a cluster', () => {
    const requests = CHANGES.map(({ action, resource }) => ({ action, resource }));
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Denied'));
  });

  test('may not give an object to another cluster, or take one from it', () => {
    const given = [ec2('volume', 'vol-1'), balancing('loadbalancer/a1')].flatMap((resource) =>
      [ANOTHERS, 'slipway.dev/cluster'].map((tag) => ({
        action: resource.startsWith('arn:aws:ec2') ? 'ec2:CreateTags' : 'elasticloadbalancing:AddTags',
        resource,
        context: { ...on(OURS), ...asking(tag) },
      })),
    );
    const taken = {
      action: 'ec2:CreateTags',
      resource: ec2('instance', 'i-1'),
      context: { ...on(ANOTHERS), ...asking(OURS) },
    };
    const requests = [...given, taken];
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Denied'));
  });

  test.for([
    'Kubernetes.io/cluster/team-b-prod-c4d5f6',
    'KUBERNETES.IO/CLUSTER/TEAM-B-PROD-C4D5F6',
    'kubernetes.io/Cluster/team-b-prod-c4d5f6',
  ])('may not give an object to another cluster in other letters, which IAM takes for the same: %s', (tag) => {
    const requests = [
      { action: 'ec2:CreateTags', resource: ec2('volume', 'vol-1') },
      { action: 'elasticloadbalancing:AddTags', resource: balancing('loadbalancer/a1') },
    ].map((request) => ({ ...request, context: { ...on(OURS), ...asking(tag) } }));
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Denied'));
  });

  test('may add later what the cloud provider and the EBS CSI controller write', () => {
    const requests = Object.entries(WRITTEN).map(([key, value]) =>
      alsoTagged({ action: 'ec2:CreateTags', resource: ec2('volume', 'vol-1'), context: on(OURS) }, { [key]: value }),
    );
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Allowed'));
  });

  test('may create with every tag that the cloud provider and the EBS CSI controller write', () => {
    const requests = requestsOn(CHANGES, OURS)
      .filter(({ context }) => context?.['aws:TagKeys'] !== undefined)
      .map((request) => alsoTagged(request, WRITTEN));
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Allowed'));
  });

  test.for(FOREIGN_TAGS)('may not create or tag an object that also has the tag $key: $value', ({ key, value }) => {
    const later = [
      ...['volume', 'snapshot', 'security-group', 'instance'].map((type) => ({
        action: 'ec2:CreateTags',
        resource: ec2(type, '1'),
      })),
      { action: 'elasticloadbalancing:AddTags', resource: balancing('loadbalancer/net/a1/1') },
    ].map((request) => ({ ...request, context: { ...on(OURS), 'aws:TagKeys': [] } }));
    const tagging = [
      ...requestsOn(CHANGES, OURS).filter(({ context }) => context?.['aws:TagKeys'] !== undefined),
      ...later,
    ];
    const requests = tagging.map((request) => alsoTagged(request, { [key]: value }));
    expect(named(requests, answers(CONTROL_PLANE, requests))).toEqual(each(requests, 'Denied'));
  });

  test('may write the further tags that the platform lists, and no other', () => {
    const policy = controlPlanePolicy({ ...PERMITTED, tagKeys: ['example.com/cost'] });
    const requests = ['example.com/cost', 'example.com/costs', 'Example.com/cost'].flatMap((key) => [
      alsoTagged(creating('ec2:CreateVolume', ec2('volume', '*')), { [key]: 'x' }),
      alsoTagged({ action: 'ec2:CreateTags', resource: ec2('volume', 'vol-1'), context: on(OURS) }, { [key]: 'x' }),
    ]);
    expect(answers(policy, requests)).toEqual(['Allowed', 'Allowed', 'Denied', 'Denied', 'Denied', 'Denied']);
  });

  test('may not take the cluster tag from an object, alone or with all others', () => {
    const volume = { action: 'ec2:DeleteTags', resource: ec2('volume', 'vol-1') };
    const keys = [{ 'aws:TagKeys': ['Name'] }, { 'aws:TagKeys': [OURS] }, {}];
    const requests = keys.map((tags) => ({ ...volume, context: { ...on(OURS), ...tags } }));
    expect(answers(CONTROL_PLANE, requests)).toEqual(['Allowed', 'Denied', 'Denied']);
  });

  test('may have AWS create the role of load balancers, and no other', () => {
    const create = (service: string): IamRequest => ({
      action: 'iam:CreateServiceLinkedRole',
      resource: `arn:aws:iam::123456789012:role/aws-service-role/${service}/AWSServiceRoleFor`,
      context: { 'iam:AWSServiceName': service },
    });
    const requests = [create('elasticloadbalancing.amazonaws.com'), create('spot.amazonaws.com')];
    expect(answers(CONTROL_PLANE, requests)).toEqual(['Allowed', 'Denied']);
  });

  test('may create security groups in the existing network of its cluster only, which has no cluster tag', () => {
    const policy = controlPlanePolicy({ ...PERMITTED, vpc: 'vpc-1' });
    const requests = ['vpc-1', 'vpc-2'].map((id) => ({ action: 'ec2:CreateSecurityGroup', resource: ec2('vpc', id) }));
    expect(answers(policy, requests)).toEqual(['Allowed', 'Denied']);
  });

  test('may not touch volumes where the EBS CSI controller has a role of its own', () => {
    const policy = controlPlanePolicy({ ...PERMITTED, ebsCSI: false });
    const requests = requestsOn(CHANGES, OURS).filter(({ resource }) => /:(volume|snapshot)\//.test(resource));
    expect(named(requests, answers(policy, requests))).toEqual(each(requests, 'Denied'));
  });
});

describe.skipIf('missing' in found)('a worker', () => {
  test('may change nothing, not even of its own cluster', () => {
    const requests = requestsOn(CHANGES, OURS);
    expect(named(requests, answers(NODE, requests))).toEqual(each(requests, 'Denied'));
  });
});

const INSTANCE = { own: ec2('instance', 'i-1'), sibling: ec2('instance', 'i-2') };

describe.skipIf('missing' in found).each([
  { who: 'a worker', policy: NODE },
  { who: 'a control-plane machine', policy: CONTROL_PLANE },
])('$who', ({ policy }) => {
  const asking = (resource: string, tagged: string | undefined, from: string | null = INSTANCE.own) =>
    ['secretsmanager:GetSecretValue', 'secretsmanager:DeleteSecret'].map((action) => ({
      action,
      resource,
      context: {
        ...(from === null ? {} : { 'ec2:SourceInstanceARN': from }),
        ...(tagged === undefined ? {} : { [`aws:ResourceTag/${INSTANCE_TAG}`]: tagged }),
      },
    }));

  test('may read and delete its own first-boot data', () => {
    const requests = asking(secret(ID), INSTANCE.own);
    expect(named(requests, answers(policy, requests))).toEqual(each(requests, 'Allowed'));
  });

  test.for([
    { whose: 'of a sibling', requests: asking(secret(ID), INSTANCE.sibling) },
    { whose: 'of a machine that does not exist yet', requests: asking(secret(ID), undefined) },
    { whose: 'of the other role', requests: asking(secret(ID, 'other'), INSTANCE.own) },
    { whose: 'of another cluster', requests: asking(secret('team-b-prod-c4d5f6'), INSTANCE.own) },
    { whose: 'with no instance', requests: asking(secret(ID), INSTANCE.own, null) },
  ])('may neither read nor delete first-boot data $whose', ({ requests }) => {
    expect(named(requests, answers(policy, requests))).toEqual(each(requests, 'Denied'));
  });

  test('may not tag first-boot data, or list that of others', () => {
    const requests = ['TagResource', 'UntagResource', 'PutSecretValue', 'PutResourcePolicy', 'ListSecrets'].map(
      (action) => ({
        action: `secretsmanager:${action}`,
        resource: action === 'ListSecrets' ? '*' : secret(ID),
        context: { [`aws:ResourceTag/${INSTANCE_TAG}`]: INSTANCE.own, 'ec2:SourceInstanceARN': INSTANCE.own },
      }),
    );
    expect(named(requests, answers(policy, requests))).toEqual(each(requests, 'Denied'));
  });
});
