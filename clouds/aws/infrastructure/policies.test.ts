import { expect, test } from 'vitest';
import { controlPlanePolicy, nodePolicy, trustPolicy } from './policies.ts';

const LARGEST = 10_240; // characters of the inline policies of one role
const ID = 'x'.repeat(50);
const SECRETS = `arn:*:secretsmanager:ap-northeast-1:*:secret:slipway/${ID}/control-plane/*`;
const PERMITTED = { id: ID, secrets: SECRETS };
const controlPlane = (ebsCSI: boolean, tagKeys: readonly string[] = []) =>
  controlPlanePolicy({ ...PERMITTED, vpc: undefined, ebsCSI, tagKeys });

interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource: string;
  readonly Condition?: unknown;
}

const statementsOf = (policy: string) => (JSON.parse(policy) as { Statement: Statement[] }).Statement;
const actionsOf = (policy: string) =>
  statementsOf(policy)
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action }) => Action);

test('policies stay within the size limit of a role', () => {
  const mostTags = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(128, 'x'));
  for (const policy of [controlPlane(true, mostTags), nodePolicy(PERMITTED)])
    expect(policy.length).toBeLessThan(LARGEST);
});

test('a control-plane machine has all permissions of a node, because it runs a kubelet too', () => {
  expect(actionsOf(controlPlane(false))).toEqual(expect.arrayContaining(actionsOf(nodePolicy(PERMITTED))));
});

test('whatever changes something is limited to the objects of the cluster, but for a session with the machine', () => {
  const looks = /:(Describe|Get|List|BatchGet|BatchCheck)/;
  const changes = statementsOf(controlPlane(true)).filter(({ Action }) => Action.some((action) => !looks.test(action)));
  const unlimited = changes.filter((statement) => !JSON.stringify(statement).includes(ID)).map(({ Sid }) => Sid);
  expect(unlimited).toEqual(['Session', 'ServiceRole']);
});

test('a node cannot change anything in AWS but its own session and first-boot data', () => {
  const changes = actionsOf(nodePolicy(PERMITTED)).filter((action) =>
    /(Create|Delete|Modify|Attach|Authorize|Tag|Put)[A-Z]/.test(action),
  );
  expect(changes).toEqual([
    'ssmmessages:CreateControlChannel',
    'ssmmessages:CreateDataChannel',
    'secretsmanager:DeleteSecret',
  ]);
});

test('a machine may only read and delete the secret it boots from', () => {
  const secrets = statementsOf(nodePolicy(PERMITTED)).filter(({ Action }) =>
    Action.some((action) => action.startsWith('secretsmanager:')),
  );
  expect(secrets).toEqual([
    {
      Sid: 'FirstBoot',
      Effect: 'Allow',
      Action: ['secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'],
      Resource: SECRETS,
      Condition: { StringEquals: { 'aws:ResourceTag/slipway.dev/instance': '${ec2:SourceInstanceARN}' } },
    },
  ]);
});

test('a machine may use a key of the platform only to read its own first-boot data', () => {
  const decrypts = statementsOf(nodePolicy(PERMITTED)).filter(({ Action }) => Action.includes('kms:Decrypt'));
  expect(decrypts).toMatchObject([
    { Action: ['kms:Decrypt'], Condition: { StringLike: { 'kms:EncryptionContext:SecretARN': SECRETS } } },
  ]);
});

test('only the EBS CSI policy allows volumes and snapshots, so users can leave it out', () => {
  expect(actionsOf(controlPlane(true))).toContain('ec2:CreateSnapshot');
  expect(
    actionsOf(controlPlane(false)).filter((action) => /(Create|Delete|Attach)(Volume|Snapshot)/.test(action)),
  ).toEqual([]);
});

test('EC2 has another service name in China', () => {
  expect(trustPolicy('cn-north-1')).toContain('"ec2.amazonaws.com.cn"');
  expect(trustPolicy('eu-west-1')).toContain('"ec2.amazonaws.com"');
});
