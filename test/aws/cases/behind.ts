/** Somebody deletes in AWS what a cluster is made of: it is made again where it can be, and a machine is replaced. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { nameOf, poolSettles, TEAM } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { items, textAt } from '../cloud/xml.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import type { Case } from './case.ts';
import { instancesOf, namesOf, oneEach } from './instances.ts';

const POOL = 'prod-memory';
const LIMIT_SECONDS = 400;
const EC2 = 'ec2.aws.m.upbound.io/v1beta1';
const ID = 'crossplane.io/external-name';

export const behindCase: Case = {
  name: 'behind',
  after: ['claim'],
  async run(lab, log) {
    const told: string[] = [];
    for (const [what, act] of [
      ['a rule of a security group', ruleRevoked],
      ['a NAT gateway', gatewayDeleted],
      ['an address', addressReleased],
      ['a machine', machineTerminated],
    ] as const) {
      const began = Date.now();
      const how = await act(lab);
      told.push(`${what}: ${how}`);
      log(`${what}: ${how} after ${Math.round((Date.now() - began) / 1000)} s`);
    }
    return told.join('; ');
  },
};

async function ruleRevoked(lab: AwsLab): Promise<string> {
  const rule = await first(lab, 'SecurityGroupIngressRule', 'prod-');
  const [id, group] = [idOf(rule), stringAt(rule, 'spec', 'forProvider', 'securityGroupId') ?? ''];
  await lab.aws.call('ec2', 'RevokeSecurityGroupIngress', { GroupId: group, 'SecurityGroupRuleId.1': id });
  return madeAgain(lab, rule, id, async (now) => {
    const answer = await lab.aws.call('ec2', 'DescribeSecurityGroupRules', { 'SecurityGroupRuleId.1': now });
    return items(answer, 'securityGroupRuleSet').length === 1;
  });
}

async function gatewayDeleted(lab: AwsLab): Promise<string> {
  const gateway = await first(lab, 'NATGateway', 'prod-nat-');
  const id = idOf(gateway);
  await lab.aws.call('ec2', 'DeleteNatGateway', { NatGatewayId: id });
  const how = await madeAgain(lab, gateway, id, (now) => isGatewayUp(lab, now));
  const zone = nameOf(gateway).replace('prod-nat-', '');
  await until('the route leads to the new gateway', { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
    const [route, now] = await Promise.all([
      lab.api.get({ apiVersion: EC2, kind: 'Route', namespace: TEAM, name: `prod-route-private-${zone}` }),
      lab.api.get({ apiVersion: EC2, kind: 'NATGateway', namespace: TEAM, name: nameOf(gateway) }),
    ]);
    const leads = stringAt(route, 'status', 'atProvider', 'natGatewayId') ?? '';
    return leads === idOf(now) ? { found: true } : { yet: `it leads to ${leads}, and the gateway is ${idOf(now)}` };
  });
  return `${how}, with its route`;
}

async function isGatewayUp({ aws }: AwsLab, id: string): Promise<boolean> {
  const answer = await aws.call('ec2', 'DescribeNatGateways', { 'NatGatewayId.1': id });
  return items(answer, 'natGatewaySet').some((one) => textAt(one, 'state') === 'available');
}

/** With its gateway, without which AWS releases no address. */
async function addressReleased(lab: AwsLab): Promise<string> {
  const address = (await list(lab, 'EIP')).toSorted((a, b) => nameOf(b).localeCompare(nameOf(a)))[0];
  if (address === undefined) throw new Error('there is no EIP');
  const id = idOf(address);
  const zone = nameOf(address).replace('prod-eip-', '');
  const ref = { apiVersion: EC2, kind: 'NATGateway', namespace: TEAM, name: `prod-nat-${zone}` };
  const gateway = await lab.api.get(ref);
  await lab.aws.call('ec2', 'DeleteNatGateway', { NatGatewayId: idOf(gateway) });
  await lab.aws.call('ec2', 'ReleaseAddress', { AllocationId: id });
  const how = await madeAgain(lab, address, id, async (now) => {
    const answer = await lab.aws.call('ec2', 'DescribeAddresses', { 'AllocationId.1': now });
    return items(answer, 'addressesSet').length === 1;
  });
  await until('a gateway has the new address', { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
    const now = await lab.api.get({ ...ref });
    const own = idOf(await lab.api.get({ apiVersion: EC2, kind: 'EIP', namespace: TEAM, name: nameOf(address) }));
    const answer = await lab.aws.call('ec2', 'DescribeNatGateways', { 'NatGatewayId.1': idOf(now) });
    const used = items(answer, 'natGatewaySet').flatMap((one) =>
      items(one, 'natGatewayAddressSet').map((entry) => textAt(entry, 'allocationId')),
    );
    const synced = JSON.stringify(at(now, 'status', 'conditions'));
    return used.includes(own) ? { found: true } : { yet: `${used.join()} and not ${own}; ${synced}` };
  });
  return `${how}, with its gateway`;
}

async function machineTerminated(lab: AwsLab): Promise<string> {
  const [before, names] = [await instancesOf(lab, POOL), await namesOf(lab, POOL)];
  const [victim] = before;
  if (victim === undefined) throw new Error('there is no machine');
  await lab.aws.call('ec2', 'TerminateInstances', { 'InstanceId.1': victim.id });
  await until('the Machine is replaced', { seconds: 2 * LIMIT_SECONDS, every: 1000 }, async () => {
    const now = await namesOf(lab, POOL);
    const gone = !now.includes(victim.tags.get('Name') ?? '');
    return gone && now.length === names.length ? { found: true } : { yet: now.join() };
  });
  await poolSettles(lab, POOL, names.length, LIMIT_SECONDS);
  await oneEach(lab, LIMIT_SECONDS);
  return 'its Machine is replaced by one of another name';
}

/** @returns how it was healed */
async function madeAgain(
  lab: AwsLab,
  object: KubeObject,
  id: string,
  isThere: (id: string) => Promise<boolean>,
): Promise<string> {
  const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace: TEAM, name: nameOf(object) };
  await until(`${object.kind} ${nameOf(object)} is there again`, { seconds: LIMIT_SECONDS, every: 1000 }, async () => {
    const seen = await lab.api.get(ref);
    const now = idOf(seen);
    if (now !== '' && now !== id && (await isThere(now))) return { found: true };
    return { yet: `${now}; ${JSON.stringify(at(seen, 'status', 'conditions'))}` };
  });
  return 'made again';
}

function list({ api }: AwsLab, kind: string): Promise<readonly KubeObject[]> {
  return api.list({ apiVersion: EC2, kind, namespace: TEAM });
}

async function first(lab: AwsLab, kind: string, prefix: string): Promise<KubeObject> {
  const found = (await list(lab, kind))
    .filter((one) => nameOf(one).startsWith(prefix))
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))[0];
  if (found === undefined) throw new Error(`there is no ${kind} ${prefix}…`);
  return found;
}

function idOf({ metadata }: KubeObject): string {
  return metadata?.annotations?.[ID] ?? '';
}
