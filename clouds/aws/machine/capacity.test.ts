import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { answer, condition, play, WORLD } from '../../../functions/machine/machine.fixture.ts';
import { lackOfCapacity } from './capacity.ts';

const FAILED = 'create failed: async create failed: failed to create the resource: [{0 creating EC2 Instance:';
const refused = (answered: string, request = 'f00'): string =>
  `${FAILED} operation error EC2: RunInstances, https response error StatusCode: 500, RequestID: ${request}, api error ${answered}  []}]`;
const NONE =
  'InsufficientInstanceCapacity: We currently do not have sufficient m6i.xlarge capacity in the Availability Zone you requested (eu-west-1b). You can currently get m6i.xlarge capacity by choosing eu-west-1a.';
const LINE =
  'InsufficientInstanceCapacity: We currently do not have sufficient m6i.xlarge capacity in the Availability Zone you requested (eu-west-1b)';

const instance = (conditions: readonly JsonObject[]): KubeObject => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'Instance',
  status: { conditions },
});
const off = (type: string, message: string): JsonObject => ({ type, status: 'False', reason: 'X', message });
const synced = (message: string): KubeObject => instance([off('Synced', message)]);

describe('the error message of EC2', () => {
  test.for([
    { name: 'no capacity', message: refused(NONE), want: LINE },
    {
      name: 'no capacity, at the end of the message',
      message: refused('InsufficientHostCapacity: There is not enough capacity on the host'),
      want: 'InsufficientHostCapacity: There is not enough capacity on the host',
    },
    {
      name: 'a reservation that is used up',
      message: refused('InsufficientReservedInstanceCapacity: The reservation has no room. Try another.'),
      want: 'InsufficientReservedInstanceCapacity: The reservation has no room',
    },
    {
      name: 'an instance that ended when it started',
      message: `${FAILED} waiting for EC2 Instance (i-1) create: unexpected state 'terminated', wanted target 'running'. last error: Server.InsufficientInstanceCapacity: Insufficient capacity to satisfy instance request  []}]`,
      want: 'InsufficientInstanceCapacity: Insufficient capacity to satisfy instance request',
    },
    {
      name: 'a type that the zone does not have',
      message: refused(
        'Unsupported: Your requested instance type (m6i.xlarge) is not supported in your requested Availability Zone (us-east-1e). Please retry.',
      ),
      want: 'Unsupported: Your requested instance type (m6i.xlarge) is not supported in your requested Availability Zone (us-east-1e)',
    },
    { name: 'a quota', message: refused('VcpuLimitExceeded: You have requested more vCPU capacity than your limit.') },
    {
      name: 'another unsupported request',
      message: refused('Unsupported: The requested configuration is not supported.'),
    },
    { name: 'a throttled call', message: refused('RequestLimitExceeded: Request limit exceeded.') },
  ])('is checked for missing capacity: $name', ({ message, want }) => {
    expect(lackOfCapacity(synced(message))).toBe(want);
  });

  it('is still known between two attempts, while the provider reports no error', () => {
    const trying = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };
    expect(lackOfCapacity(instance([trying, off('LastAsyncOperation', refused(NONE))]))).toBe(LINE);
  });
});

describe('a machine that the cloud has no capacity for', () => {
  const world = (refusal: string) => ({ ...WORLD.handedOver, refused: refusal });
  const replies = async (...worlds: Parameters<typeof world>[0][]): Promise<readonly ReplyData[]> =>
    (await play({}, WORLD.handedOver, ...worlds.map(world))).replies.slice(-worlds.length);
  const infrastructure = (reply: ReplyData | undefined) => condition(reply!, 'InfrastructureReady');

  it('reports it with a reason of its own, the same message at every attempt, and one event', async () => {
    const [first, second] = await replies(refused(NONE, 'f00'), refused(NONE, 'ba5'));
    expect(infrastructure(first)).toEqual({
      type: 'InfrastructureReady',
      status: 'False',
      reason: 'InsufficientCapacity',
      message: LINE,
    });
    expect(infrastructure(second)).toEqual(infrastructure(first));
    expect(first?.events).toEqual([{ severity: 'Warning', reason: 'InsufficientCapacity', message: LINE }]);
    expect(second?.events).toEqual([]);
  });

  it('says the cause of any other failure, the same at every attempt', async () => {
    const [first, second] = await replies(
      refused('VcpuLimitExceeded: too many.'),
      refused('VcpuLimitExceeded: too many.', 'ba5'),
    );
    expect(infrastructure(first)).toMatchObject({
      reason: 'NotReady',
      message: expect.stringMatching(
        /^create failed: creating EC2 Instance: .*StatusCode: 500, api error VcpuLimitExceeded: too many[.]$/,
      ) as string,
    });
    expect(infrastructure(second)).toEqual(infrastructure(first));
  });

  it('counts as created once it has an id, whatever the provider reports about a later change', async () => {
    const { last } = await play({}, WORLD.handedOver, WORLD.running, WORLD.joined);
    const { composite, resources } = last.observed;
    const made = resources.get('instance')!;
    const status = { ...made.resource.status, conditions: [off('Synced', refused(NONE))] };
    const changed: Request = {
      ...last,
      observed: {
        composite,
        resources: new Map([...resources, ['instance', { ...made, resource: { ...made.resource, status } }]]),
      },
    };
    expect(infrastructure(await answer(changed))?.reason).toBe('NotReady');
  });
});
