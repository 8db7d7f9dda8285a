/** Flow logs of the VPC: of the platform, off by default, and never changed in place, because AWS cannot. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { apiVersionOf } from '../../clouds/aws/kinds.ts';
import { crdAvailable, validateManaged } from '../../test/support/crds.ts';
import {
  aClaim,
  anInput,
  byKind,
  call,
  condition,
  existing,
  keys,
  objects,
  observe,
  settled,
} from './cluster.fixture.ts';

const BUCKET = { destination: 'arn:aws:s3:::audit/flow-logs/' };
const GROUP = {
  destination: 'arn:aws:logs:eu-west-1:123456789012:log-group:/audit/vpc',
  role: 'arn:aws:iam::123456789012:role/audit/flow-logs',
};

const recording = (flowLogs: JsonObject) => anInput({ aws: { flowLogs } });
const logs = (reply: ReplyData) => objects(reply).filter(byKind('FlowLog'));
const fields = (reply: ReplyData) => logs(reply).map(({ spec }) => spec?.['forProvider'] as JsonObject);

test('there is none by default', async () => {
  expect(logs(await call())).toEqual([]);
});

test('all traffic goes to the bucket of the platform', async () => {
  const [log] = fields(await call({ input: recording(BUCKET) }));
  const { tags: _tags, ...rest } = log ?? {};
  expect(rest).toEqual({
    region: 'eu-west-1',
    vpcIdRef: { name: 'prod-vpc' },
    logDestination: 'arn:aws:s3:::audit/flow-logs/',
    logDestinationType: 's3',
    trafficType: 'ALL',
    maxAggregationInterval: 600,
  });
});

test('a log group has the role that writes to it', async () => {
  const input = recording({ ...GROUP, trafficType: 'REJECT', maxAggregationSeconds: 60 });
  expect(fields(await call({ input }))).toMatchObject([
    {
      logDestination: GROUP.destination,
      logDestinationType: 'cloud-watch-logs',
      iamRoleArn: GROUP.role,
      trafficType: 'REJECT',
      maxAggregationInterval: 60,
    },
  ]);
});

test('no machine of the cluster may change it: it has no tag by which their roles are limited', async () => {
  const [log] = fields(await call({ input: recording(BUCKET) }));
  expect(Object.keys(log?.['tags'] ?? {}).filter((tag) => tag.startsWith('kubernetes.io/cluster/'))).toEqual([]);
});

test.skipIf(!crdAvailable(apiVersionOf('FlowLog'), 'FlowLog')).for([BUCKET, GROUP])(
  'it is accepted by its CRD: $destination',
  async (flowLogs) => {
    expect(logs(await call({ input: recording(flowLogs) })).flatMap((log) => validateManaged(log))).toEqual([]);
  },
);

describe('an existing cluster', async () => {
  const { claim, reply } = await settled(aClaim());
  const recorded = await settled(aClaim(), recording(BUCKET));

  test('gets one, stays ready, and nothing else changes', async () => {
    const after = await call({ claim, observed: observe(reply), input: recording(BUCKET) });
    expect(objects(after).filter((object) => object.kind !== 'FlowLog')).toEqual(objects(reply));
    expect(logs(after)).toHaveLength(1);
    expect((after.status['infrastructure'] as JsonObject)['ready']).toBe(true);
  });

  test.for([
    { name: 'is recorded elsewhere', flowLogs: GROUP },
    { name: 'is recorded more often', flowLogs: { ...BUCKET, maxAggregationSeconds: 60 } },
    { name: 'is recorded in part', flowLogs: { ...BUCKET, trafficType: 'REJECT' } },
  ])('$name: by another object in place of this one', async ({ flowLogs }) => {
    const before = keys(recorded.reply).filter((key) => key.startsWith('flow-log-'));
    const after = await call({ claim: recorded.claim, observed: observe(recorded.reply), input: recording(flowLogs) });
    const now = keys(after).filter((key) => key.startsWith('flow-log-'));
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(before);
    expect(keys(recorded.reply).filter((key) => !after.resources.has(key))).toEqual(before);
  });

  test('is no longer recorded once the platform says so', async () => {
    const after = await call({ claim: recorded.claim, observed: observe(recorded.reply) });
    expect(objects(after)).toEqual(objects(recorded.reply).filter(({ kind }) => kind !== 'FlowLog'));
  });
});

test('a new cluster waits for it, and says so', async () => {
  const { claim, reply } = await settled(aClaim());
  const { infrastructure: _known, ...fresh } = claim.status ?? {};
  const observed = observe(reply);
  const after = await call({ claim: { ...claim, status: fresh }, observed, input: recording(BUCKET) });
  expect((after.status['infrastructure'] as JsonObject)['ready']).toBe(false);
  expect(condition(after, 'InfrastructureReady')?.message).toMatch(/^waiting for FlowLog prod-flow-log-/);
});

test('a network that Slipway did not compose is recorded by its owner', async () => {
  expect(logs(await call({ claim: aClaim(existing()), input: recording(BUCKET) }))).toEqual([]);
});

test('a claim can neither move nor narrow it', async () => {
  for (const field of ['logDestination', 'trafficType', 'iamRoleArn', 'tags']) {
    const overrides = [{ kind: 'FlowLog', patch: { spec: { forProvider: { [field]: 'x' } } } }];
    const refused = call({ claim: aClaim({ infrastructure: { overrides } }), input: recording(BUCKET) });
    await expect(refused).rejects.toThrow(
      `patch.spec.forProvider.${field}: may not be overridden; accepted for FlowLog: `,
    );
  }
});

test.for([
  {
    name: 'a log group without a role',
    flowLogs: { destination: GROUP.destination },
    why: 'aws.flowLogs: must have a role with a log group, and none with a bucket',
  },
  {
    name: 'a bucket with a role',
    flowLogs: { ...BUCKET, role: GROUP.role },
    why: 'aws.flowLogs: must have a role with a log group, and none with a bucket',
  },
  {
    name: 'a log group as AWS prints it',
    flowLogs: { ...GROUP, destination: `${GROUP.destination}:*` },
    why: `aws.flowLogs.destination: "${GROUP.destination}:*" is not accepted; accepted: the ARN of an S3 bucket, or of a CloudWatch log group without :* at its end`,
  },
  {
    name: 'an interval that AWS does not have',
    flowLogs: { ...BUCKET, maxAggregationSeconds: 300 },
    why: 'aws.flowLogs.maxAggregationSeconds: 300 is not accepted; accepted: 60 or 600',
  },
])('$name is refused', async ({ flowLogs, why }) => {
  await expect(call({ input: recording(flowLogs) })).rejects.toThrow(
    `cannot accept ClusterInput of the Composition: ${why}`,
  );
});
