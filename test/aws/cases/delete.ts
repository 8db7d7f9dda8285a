/** Pools and the Cluster are deleted: nothing of theirs is left in AWS, and it went in an order that AWS accepts. */
import { AWS_KINDS, apiVersionOf } from '#clouds/aws/kinds.ts';
import { hold } from '../../e2e/cases/case.ts';
import { nameOf, SLIPWAY, TEAM } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Call } from '../cloud/call.ts';
import { items, textAt } from '../cloud/xml.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import type { Case } from './case.ts';
import { ownedInstances } from './instances.ts';
import { counted, inWords } from './seen.ts';

const LIMIT_SECONDS = 500;
/** The last of the first is asked before the first of the second: AWS refuses some of it otherwise, and not all of it. */
const ORDER = [
  ['TerminateInstances', 'DeleteSubnet'],
  ['TerminateInstances', 'DeleteSecurityGroup'],
  ['TerminateInstances', 'DeleteNatGateway'],
  ['DeleteNatGateway', 'DeleteInternetGateway'],
  ['DeleteSubnet', 'DeleteVpc'],
] as const;

export const deleteCase: Case = {
  name: 'delete',
  after: ['claim'],
  async run(lab, log) {
    const calls = lab.proxy.calls.length;
    for (const pool of ['prod-general', 'prod-memory'])
      await lab.kubectl('-n', TEAM, 'delete', 'nodepool.slipway.dev', pool, '--wait=false');
    await until('the Cluster may be deleted', { seconds: LIMIT_SECONDS, every: 2000 }, async () => {
      try {
        await lab.kubectl('-n', TEAM, 'delete', 'cluster.slipway.dev', 'prod', '--cascade=foreground', '--wait=false');
        return { found: true };
      } catch (thrown) {
        return { yet: String(thrown).slice(0, 300) };
      }
    });
    log('the Cluster goes');
    await until('no object is left', { seconds: LIMIT_SECONDS, every: 2000 }, async () => {
      const left = await objectsLeft(lab);
      return left.length === 0 ? { found: true } : { yet: `${left.length}: ${left.slice(0, 6).join(', ')}` };
    });
    const left = await leftInAws(lab);
    hold('nothing of the cluster is left in AWS', left.length === 0, left.join(', '));
    const seen = lab.proxy.since(calls);
    for (const [before, after] of ORDER)
      hold(`${before} comes before ${after}`, last(seen, before) < first(seen, after), wordsOf(seen));
    const refused = seen.filter(({ error, action }) => error !== undefined && action.startsWith('Delete'));
    return `${inWords(counted(seen.filter(isDeletion).map(({ action }) => action)))}; refused meanwhile: ${inWords(counted(refused.map(({ action, error }) => `${action} ${error ?? ''}`)))}; nothing left`;
  },
};

async function objectsLeft({ api }: AwsLab): Promise<readonly string[]> {
  const kinds = [
    ...AWS_KINDS.map((kind) => ({ apiVersion: apiVersionOf(kind), kind })),
    ...['Cluster', 'NodePool', 'Machine'].map((kind) => ({ apiVersion: SLIPWAY, kind })),
  ];
  const lists = await Promise.all(kinds.map((kind) => api.list({ ...kind, namespace: TEAM })));
  return lists.flat().map((one) => `${one.kind}/${nameOf(one)}`);
}

const TAGGED = [
  ['DescribeVpcs', 'vpcSet', 'vpcId'],
  ['DescribeSubnets', 'subnetSet', 'subnetId'],
  ['DescribeSecurityGroups', 'securityGroupInfo', 'groupId'],
  ['DescribeRouteTables', 'routeTableSet', 'routeTableId'],
  ['DescribeInternetGateways', 'internetGatewaySet', 'internetGatewayId'],
  ['DescribeAddresses', 'addressesSet', 'allocationId'],
] as const;

/** Whatever has a tag of the cluster; load balancers, roles and secrets are of clusters only. */
async function leftInAws(lab: AwsLab): Promise<readonly string[]> {
  const { aws } = lab;
  const lists = TAGGED.map(async ([action, set, id]) => {
    const answer = await aws.call('ec2', action);
    return items(answer, set)
      .filter((one) => items(one, 'tagSet').some((tag) => /kubernetes.io\/cluster|slipway/.test(textAt(tag, 'key'))))
      .map((one) => textAt(one, id));
  });
  const balancers = await aws.call('elasticloadbalancing', 'DescribeLoadBalancers');
  const groups = await aws.call('elasticloadbalancing', 'DescribeTargetGroups');
  const roles = await aws.call('iam', 'ListRoles');
  const secrets = aws.secret('ListSecrets', {});
  const { SecretList = [] } = secrets as { readonly SecretList?: readonly { readonly Name: string }[] };
  return [
    ...(await Promise.all(lists)).flat(),
    ...(await ownedInstances(lab)).map(({ id }) => id),
    ...items(balancers, 'DescribeLoadBalancersResult', 'LoadBalancers').map((one) => textAt(one, 'LoadBalancerArn')),
    ...items(groups, 'DescribeTargetGroupsResult', 'TargetGroups').map((one) => textAt(one, 'TargetGroupArn')),
    ...items(roles, 'ListRolesResult', 'Roles').map((one) => textAt(one, 'RoleName')),
    ...SecretList.map(({ Name }) => Name),
  ];
}

const isDeletion = ({ action, error }: Call): boolean =>
  /^(Delete|Terminate|Release)/.test(action) && error === undefined;

function last(calls: readonly Call[], action: string): number {
  return calls.findLastIndex((call) => call.action === action && call.error === undefined);
}

function first(calls: readonly Call[], action: string): number {
  const at = calls.findIndex((call) => call.action === action && call.error === undefined);
  return at === -1 ? Infinity : at;
}

function wordsOf(calls: readonly Call[]): string {
  return calls
    .filter(isDeletion)
    .map(({ action }) => action)
    .join(' ');
}
