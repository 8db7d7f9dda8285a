import { expect, test } from 'vitest';
import { controlPlanePolicy, nodePolicy, trustPolicy } from './policies.ts';

const LARGEST = 10_240; // characters of the inline policies of one role
const SECRETS = 'arn:*:secretsmanager:eu-west-1:*:secret:slipway/team-a/prod/node/*';

const actionsOf = (policy: string) => {
  const { Statement } = JSON.parse(policy) as { Statement: { Action: string[] }[] };
  return Statement.flatMap(({ Action }) => Action);
};

test('policies stay within the size limit of a role', () => {
  for (const policy of [controlPlanePolicy(SECRETS, true), nodePolicy(SECRETS)])
    expect(policy.length).toBeLessThan(LARGEST);
});

test('a control-plane machine has all permissions of a node, because it runs a kubelet too', () => {
  expect(actionsOf(controlPlanePolicy(SECRETS, false))).toEqual(expect.arrayContaining(actionsOf(nodePolicy(SECRETS))));
});

test('a node cannot change the cluster’s network or volumes', () => {
  const changes = actionsOf(nodePolicy(SECRETS)).filter((action) =>
    /(Create|Delete|Modify|Attach|Authorize)/.test(action),
  );
  expect(changes).toEqual([
    'ec2:CreateTags',
    'ssmmessages:CreateControlChannel',
    'ssmmessages:CreateDataChannel',
    'secretsmanager:DeleteSecret',
  ]);
});

test('a machine may only read and delete the secrets it boots from', () => {
  const { Statement } = JSON.parse(nodePolicy(SECRETS)) as { Statement: { Action: string[]; Resource: string }[] };
  const secrets = Statement.filter(({ Action }) => Action.some((action) => action.startsWith('secretsmanager:')));
  expect(secrets).toEqual([
    {
      Sid: 'FirstBoot',
      Effect: 'Allow',
      Action: ['secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'],
      Resource: SECRETS,
    },
  ]);
});

test('only the EBS CSI policy allows snapshots, so users can leave it out', () => {
  expect(actionsOf(controlPlanePolicy(SECRETS, true))).toContain('ec2:CreateSnapshot');
  expect(actionsOf(controlPlanePolicy(SECRETS, false))).not.toContain('ec2:CreateSnapshot');
});

test('EC2 has another service name in China', () => {
  expect(trustPolicy('cn-north-1')).toContain('"ec2.amazonaws.com.cn"');
  expect(trustPolicy('eu-west-1')).toContain('"ec2.amazonaws.com"');
});
