import { expect, test } from 'vitest';
import { controlPlanePolicy, nodePolicy, trustPolicy } from './policies.ts';

const LARGEST = 10_240; // characters of the inline policies of one role

const actionsOf = (policy: string) => {
  const { Statement } = JSON.parse(policy) as { Statement: { Action: string[] }[] };
  return Statement.flatMap(({ Action }) => Action);
};

test('policies fit into a role', () => {
  for (const policy of [controlPlanePolicy(true), controlPlanePolicy(false), nodePolicy()])
    expect(policy.length).toBeLessThan(LARGEST);
});

test('a control-plane machine may do what a node may, since it runs a kubelet too', () => {
  expect(actionsOf(controlPlanePolicy(false))).toEqual(expect.arrayContaining(actionsOf(nodePolicy())));
});

test('a node cannot change the cluster’s network or volumes', () => {
  const changes = actionsOf(nodePolicy()).filter((action) => /(Create|Delete|Modify|Attach|Authorize)/.test(action));
  expect(changes).toEqual(['ec2:CreateTags', 'ssmmessages:CreateControlChannel', 'ssmmessages:CreateDataChannel']);
});

test('only the EBS CSI policy allows snapshots, so that it can be left out', () => {
  expect(actionsOf(controlPlanePolicy(true))).toContain('ec2:CreateSnapshot');
  expect(actionsOf(controlPlanePolicy(false))).not.toContain('ec2:CreateSnapshot');
});

test('in China EC2 has another name', () => {
  expect(trustPolicy('cn-north-1')).toContain('"ec2.amazonaws.com.cn"');
  expect(trustPolicy('eu-west-1')).toContain('"ec2.amazonaws.com"');
});
