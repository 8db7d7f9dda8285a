import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Remediation } from '#lib/api/kinds/node-pool.ts';
import { HealthPolicy } from '#lib/api/fields/health.ts';
import { aMachine, aNodePool, conditions, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { exhausted, hasUntried, lacksCapacity, rememberCapacity } from './capacity.ts';
import { run } from './fn.ts';
import { judge } from './health.ts';
import { type PoolMachine, readMachines } from './machines.ts';
import { leastUsed } from './placement.ts';
import { after, condition, NOON, request } from './pool.fixture.ts';

const WHY =
  'InsufficientInstanceCapacity: We currently do not have sufficient m6i.xlarge capacity in the Availability Zone you requested (a)';
const at = (seconds: number): number => Date.parse(NOON) + seconds * 1000;
const noRoom = (reason = 'InsufficientCapacity'): JsonObject => ({
  type: 'InfrastructureReady',
  status: 'False',
  reason,
  message: WHY,
  lastTransitionTime: NOON,
});

interface Given {
  readonly zone?: string;
  readonly status?: JsonObject;
  readonly slot?: number;
  readonly remediationFor?: Partial<Remediation>;
  readonly createdAt?: string;
}

function object({ zone = 'a', status = {}, slot = 0, remediationFor, createdAt = NOON }: Given): KubeObject {
  const machine = aMachine({ name: `general-${slot}-aaaaa`, spec: { failureDomain: zone } });
  const text = JSON.stringify({ machine: 'general-9-zzzzz', retryCount: 0, ...remediationFor });
  const annotations = remediationFor === undefined ? {} : { 'slipway.dev/remediation-for': text };
  const labels = { 'slipway.dev/slot': String(slot) };
  return withStatus(
    { ...machine, metadata: { ...machine.metadata, labels, annotations, creationTimestamp: createdAt } },
    status,
  );
}

const machine = (given: Given): PoolMachine => readMachines(new Map([['m', object(given)]]), 0)[0]!;
const STUCK: JsonObject = conditions(false, [noRoom()]);
const stuck = (given: Given = {}): PoolMachine => machine({ status: STUCK, ...given });
const policy = (fields: JsonObject = {}): HealthPolicy => HealthPolicy.parse(fields);

describe('a machine that the cloud could not create because of missing capacity', () => {
  it('is given up only after two minutes, because there may be capacity a minute later', () => {
    expect(judge(stuck(), policy(), at(119))).toMatchObject({ state: 'Starting', due: at(120) });
    expect(judge(stuck(), policy(), at(120))).toEqual({
      state: 'Unhealthy',
      because: 'found no capacity in a',
      since: at(0),
      due: undefined,
    });
  });

  it('is also given up when machines have no time limit to become a Node', () => {
    expect(judge(stuck(), policy({ nodeStartupTimeout: '0s' }), at(120)).state).toBe('Unhealthy');
  });

  test.for([
    { name: 'the cloud created it after all', status: { ...STUCK, instanceID: 'i-1' } },
    { name: 'another problem is reported', status: conditions(false, [noRoom('NotReady')]) },
    { name: 'it is a Node', status: { ...STUCK, instanceID: 'i-1', nodeRef: { name: 'n' } } },
  ])('is not one any more when $name', ({ status }) => {
    expect(lacksCapacity(machine({ status }))).toBe(false);
    expect(judge(machine({ status }), policy(), at(120)).state).not.toBe('Unhealthy');
  });
});

describe('failure domains without capacity', () => {
  const healthy: JsonObject = { ...conditions(true), instanceID: 'i-1', nodeRef: { name: 'n' } };

  test.for([
    { name: 'the domain of a machine at once', machines: [stuck()], want: ['a'] },
    { name: 'none for healthy machines', machines: [machine({ status: healthy })], want: [] },
    {
      name: 'the domains in which a new machine could not be created',
      machines: [machine({ zone: 'c', status: healthy, remediationFor: { failureDomains: ['a', 'b'] } })],
      want: ['a', 'b'],
    },
    {
      name: 'as long as the machine is not a Node',
      machines: [stuck({ zone: 'c', createdAt: after(-36_000), remediationFor: { failureDomains: ['a'] } })],
      want: ['a', 'c'],
    },
    {
      name: 'not for ever',
      machines: [
        machine({ zone: 'c', status: healthy, createdAt: after(-900), remediationFor: { failureDomains: ['a'] } }),
      ],
      want: [],
    },
    {
      name: 'each once, the last attempt at the end',
      machines: [stuck({ zone: 'b', remediationFor: { failureDomains: ['b', 'a'] } })],
      want: ['a', 'b'],
    },
  ])('are known from the machines: $name', ({ machines, want }) => {
    expect(exhausted(machines, [], at(0))).toEqual(want);
  });

  it('are known from a deleted machine that has no replacement yet', () => {
    const pending = [{ machine: 'm', retryCount: 0, failureDomains: ['b'] }];
    expect(exhausted([stuck()], pending, at(0))).toEqual(['b', 'a']);
  });

  it('are passed from each replacement to the next', () => {
    const first = rememberCapacity(stuck({ zone: 'a' }), { machine: 'm0', retryCount: 0 });
    expect(first).toEqual({ machine: 'm0', retryCount: 0, failureDomains: ['a'] });
    const next = stuck({ zone: 'b', remediationFor: first });
    expect(rememberCapacity(next, { machine: 'm1', retryCount: 0 }).failureDomains).toEqual(['a', 'b']);
    const well = machine({ status: { instanceID: 'i-1' } });
    expect(rememberCapacity(well, { machine: 'm0', retryCount: 0 })).toEqual({ machine: 'm0', retryCount: 0 });
  });

  it('are tried one after the other, until none is left', () => {
    expect(hasUntried(stuck({ zone: 'a' }), ['a', 'b'])).toBe(true);
    expect(hasUntried(stuck({ zone: 'b', remediationFor: { failureDomains: ['a'] } }), ['a', 'b'])).toBe(false);
    expect(hasUntried(machine({ zone: 'a' }), ['a', 'b'])).toBe(false);
  });
});

describe('the failure domain of a new machine', () => {
  test.for([
    { name: 'is the one with the fewest machines', used: ['a', 'b'], avoided: [], want: 'c' },
    {
      name: 'is the one with the fewest machines among those with capacity',
      used: ['b', 'b', 'c'],
      avoided: ['a'],
      want: 'c',
    },
    { name: 'is the first of several', used: [], avoided: ['a'], want: 'b' },
    {
      name: 'is the one tried the longest time ago when none has capacity',
      used: ['a', 'a'],
      avoided: ['c', 'a', 'b'],
      want: 'c',
    },
    { name: 'is one of the pool, whatever is known of others', used: [], avoided: ['x', 'b', 'a', 'c'], want: 'b' },
  ])('$name', ({ used, avoided, want }) => {
    expect(leastUsed(['a', 'b', 'c'], used, avoided)).toBe(want);
  });
});

describe('MachinesReady', () => {
  const says = async (...machines: readonly KubeObject[]) => {
    const pool = aNodePool({ spec: { replicas: machines.length } });
    return condition(await replyOf(run, request({ pool, machines }), after(1)), 'MachinesReady')?.message;
  };
  const node = (status: string, message: string): JsonObject => ({ type: 'NodeHealthy', status, reason: 'X', message });

  it('repeats the message of the cloud, before problems that pass by themselves', async () => {
    const creating = [0, 1, 2, 3].map((slot) => object({ slot, status: conditions(false) }));
    expect(await says(...creating, object({ slot: 4, status: STUCK }))).toBe(
      `Machine general-4-aaaaa: ${WHY}; Machine general-0-aaaaa and 3 more: Creating`,
    );
  });

  it('is not true before machines exist, so that nobody who waits for it goes on too early', async () => {
    const reply = await replyOf(run, request({ pool: aNodePool({ spec: { replicas: 2 } }), machines: [] }), after(1));
    expect(condition(reply, 'MachinesReady')).toMatchObject({ status: 'False', message: '2 still to be created' });
  });

  it('repeats why the cloud refuses an instance, on one line', async () => {
    const refused = { ...noRoom('NotReady'), message: 'update failed:\n cannot change ami' };
    const status = { ...conditions(false, [refused]), instanceID: 'i-1', nodeRef: { name: 'n' } };
    expect(await says(object({ status }))).toBe('Machine general-0-aaaaa: update failed: cannot change ami');
  });

  it('reports what its Node waits for once the cloud has done its part', async () => {
    const made = { type: 'InfrastructureReady', status: 'True', reason: 'Ready' };
    const status = { ...conditions(false, [made, node('False', 'kubelet stopped posting')]), instanceID: 'i-1' };
    expect(await says(object({ status }))).toBe('Machine general-0-aaaaa: kubelet stopped posting');
  });

  it('reports why the pipeline of a Machine fails, rather than its earlier message', async () => {
    const failing = { type: 'Synced', status: 'False', reason: 'ReconcileError', message: 'cannot run function' };
    const status = { conditions: [failing, noRoom('NotReady')] };
    expect(await says(object({ status }))).toBe('Machine general-0-aaaaa: cannot run function');
  });
});
