/** All deletions in a group share one budget, whatever their reason and whatever else is in progress. */
import { describe, expect, it, test } from 'vitest';
import type { Release } from '#lib/api/contracts/group.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aMachine, aNodePool, conditions, withStatus } from '../../../test/support/claims.ts';
import { aRequest, aWorld } from '../../../test/support/request.ts';
import { run } from '../fn.ts';

const INPUT = {
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'InPlaceUpdateInput',
  rules: [{ path: 'spec.machine.class', decision: 'Update', updater: 'resize' }],
  updaters: [{ name: 'resize', runsOn: 'Machine' }],
};

interface Given {
  readonly role?: 'worker' | 'control-plane';
  readonly replicas: number;
  readonly update?: JsonObject;
  /** Names of machines that are not ready. */
  readonly unready?: readonly string[];
  /** Desired slots; by default the first `replicas` ones. */
  readonly wanted?: readonly number[];
  readonly machines: number;
  readonly edit?: JsonObject;
  readonly group?: JsonObject;
  /** The whole pipeline context; by default only `group`. */
  readonly context?: JsonObject;
  readonly change?: (machine: KubeObject, slot: number) => KubeObject | undefined;
  /** The spec of desired machines. */
  readonly apiVersion?: string;
}

const nameOf = (slot: number): string => `m-${slot}`;
const numbers = (count: number): readonly number[] => [...Array(count).keys()];

function machine(slot: number, name: string, spec: JsonObject): KubeObject {
  const base = aMachine();
  const labels = { [LABEL.slot]: String(slot) };
  return { ...base, metadata: { ...base.metadata, name, uid: name, labels }, spec: { ...base.spec, ...spec } };
}

async function call(given: Given): Promise<ReplyData> {
  const { role = 'worker', replicas, update, unready = [], machines, edit = {}, change } = given;
  const wanted = given.wanted ?? numbers(replicas);
  const observed = numbers(machines).flatMap((slot) => {
    const status = { ...conditions(!unready.includes(nameOf(slot))), nodeRef: { name: nameOf(slot) } };
    const one = withStatus(machine(slot, nameOf(slot), { role }), status);
    return (change === undefined ? one : change(one, slot)) ?? [];
  });
  const slots = wanted.map((slot) => {
    const desired = machine(slot, `m-${slot}-new`, { role, ...edit });
    return [`slot-${slot}`, { ...desired, apiVersion: given.apiVersion ?? desired.apiVersion }] as const;
  });
  const context =
    given.group === undefined
      ? {}
      : { [CONTEXT.group]: { contract: 1, leaving: 0, quorum: false, unobserved: [], releases: [], ...given.group } };
  const request = aRequest({
    composite: aNodePool({ spec: { role, replicas, update: { maxSurge: 1, maxUnavailable: 0, ...update } } }),
    observed: Object.fromEntries(observed.map((one) => [one.metadata?.name ?? '', one])),
    desired: Object.fromEntries(slots),
    context: given.context ?? context,
    input: INPUT,
  });
  return (await run(request, aWorld())).build();
}

/** Observed machines that are not desired any more. */
const gone = (reply: ReplyData, machines: number): readonly string[] =>
  numbers(machines)
    .map(nameOf)
    .filter((name) => !reply.resources.has(name));
const ordered = (reply: ReplyData): number =>
  [...reply.resources.values()].filter(({ resource }) => resource.spec?.['update'] !== undefined).length;
const created = (reply: ReplyData): readonly string[] =>
  [...reply.resources.keys()].filter((key) => key.endsWith('-new'));

const IMAGE = { machine: { class: 'standard-4', image: 'new' } };
const CLASS = { machine: { class: 'standard-8' } };

describe('a control plane that is scaled down while it changes', () => {
  test.for([
    { from: 5, to: 1, edit: IMAGE, what: 'image' },
    { from: 5, to: 3, edit: { version: 'v1.36.0' }, what: 'version' },
    { from: 3, to: 1, edit: { version: 'v1.36.0' }, what: 'version' },
    { from: 7, to: 3, edit: IMAGE, what: 'image' },
    { from: 5, to: 1, edit: CLASS, what: 'class' },
    { from: 3, to: 1, edit: CLASS, what: 'class' },
  ])('takes one disruptive step in each call: from $from to $to, with a new $what', async ({ from, to, edit }) => {
    const reply = await call({ role: 'control-plane', replicas: to, machines: from, edit });
    expect(gone(reply, from).length + ordered(reply) + created(reply).length).toBe(1);
  });

  it('takes none while another machine is being deleted', async () => {
    const group = { quorum: true, leaving: 1 };
    const reply = await call({ role: 'control-plane', replicas: 1, machines: 3, edit: IMAGE, group });
    expect([gone(reply, 3), created(reply), ordered(reply)]).toEqual([[], [], 0]);
  });

  it('updates the machines that remain before it deletes the others, because a single member could not be stopped', async () => {
    const reply = await call({ role: 'control-plane', replicas: 1, machines: 3, edit: CLASS });
    expect(gone(reply, 3)).toEqual([]);
    expect(ordered(reply)).toBe(1);
  });
});

describe('workers that are scaled down while they change', () => {
  it('are scaled down at once to the wanted number, and no further', async () => {
    const reply = await call({ replicas: 3, machines: 6, edit: IMAGE });
    expect(gone(reply, 6)).toEqual(['m-3', 'm-4', 'm-5']);
    expect(created(reply), 'machines that are being deleted still count').toEqual([]);
  });

  it('keep one machine that would be deleted as a temporary replacement while others are updated in place', async () => {
    const reply = await call({ replicas: 2, machines: 3, edit: CLASS });
    expect(gone(reply, 3)).toEqual([]);
    expect(ordered(reply)).toBe(1);
    expect(created(reply)).toEqual([]);
  });

  it('never drop below the number that must be available, even if ready machines are released first', async () => {
    const reply = await call({ replicas: 2, wanted: [2, 3], machines: 4, unready: ['m-2', 'm-3'] });
    expect(gone(reply, 4)).toEqual([]);
  });
});

describe('machines that are given up', () => {
  const unhealthy = (slot: number): Release => ({ name: nameOf(slot), why: 'Unhealthy', message: 'it is not healthy' });

  it('are deleted at once if they are not ready', async () => {
    const group = { releases: [unhealthy(1)] };
    const reply = await call({ replicas: 3, wanted: [0, 2, 3], machines: 3, unready: ['m-1'], group });
    expect(gone(reply, 3)).toEqual(['m-1']);
    expect(created(reply)).toEqual(['m-3-new']);
  });

  it('are deleted once another machine takes over if they are ready, because a user asked for that', async () => {
    const group = { releases: [unhealthy(1)] };
    const reply = await call({ replicas: 3, wanted: [0, 2, 3], machines: 3, group });
    expect(gone(reply, 3)).toEqual([]);
    expect(created(reply)).toEqual(['m-3-new']);
    const later = await call({ replicas: 3, wanted: [0, 2, 3], machines: 4, group });
    expect(gone(later, 4)).toEqual(['m-1']);
  });

  it('are removed from etcd one by one', async () => {
    const group = { quorum: true, releases: [unhealthy(0), unhealthy(1)] };
    const unready = ['m-0', 'm-1'];
    const reply = await call({ role: 'control-plane', replicas: 5, wanted: [2, 3, 4, 5], machines: 5, unready, group });
    expect(gone(reply, 5)).toEqual(['m-0']);
  });
});

describe('a healthy machine with a requested replacement', () => {
  const group = { replacements: ['m-0'] };

  it('stays until its replacement is ready, for any strategy', async () => {
    const reply = await call({ replicas: 1, machines: 1, group, update: { strategy: 'OnDelete' } });
    expect(gone(reply, 1)).toEqual([]);
    expect(created(reply)).toEqual(['m-0-new']);
  });

  it('is deleted once another machine of its slot is ready, also when that one is to be replaced in turn', async () => {
    const inSlot = (one: KubeObject): KubeObject => ({
      ...one,
      metadata: { ...one.metadata, labels: { ...one.metadata?.labels, [LABEL.slot]: '0' } },
    });
    const update = { strategy: 'OnDelete' };
    const reply = await call({ replicas: 1, machines: 2, group, update, edit: IMAGE, change: inSlot });
    expect(gone(reply, 2)).toEqual(['m-0']);
    expect(created(reply)).toEqual([]);
  });
});

test.for([
  { provider: 'kubeadm', store: 'etcd' },
  { provider: 'microk8s', store: 'dqlite' },
  { provider: 'of-a-third-party', store: 'etcd' },
])('members of $store are called that: with $provider', async ({ provider, store }) => {
  const change = (one: KubeObject): KubeObject => ({
    ...one,
    spec: { ...one.spec, bootstrap: { provider, action: 'Join' } },
  });
  const group = { quorum: true };
  const edit = { bootstrap: { provider, action: 'Join' }, version: 'v1.36.0' };
  const reply = await call({ role: 'control-plane', replicas: 3, machines: 3, unready: ['m-0'], edit, group, change });
  const said = reply.conditions.find(({ type }) => type === 'MachinesUpToDate')?.message;
  expect(said).toContain(`all other ${store} members are healthy`);
});

describe('machines that are observed in another API version than they were created in', () => {
  it('are the same machines', async () => {
    const change = (one: KubeObject): KubeObject => ({ ...one, apiVersion: 'slipway.dev/v1beta1' });
    const reply = await call({ replicas: 3, machines: 3, change });
    expect(gone(reply, 3)).toEqual([]);
    expect(created(reply)).toEqual([]);
  });

  it('match machines that another release of the step before desires in its own API version', async () => {
    // The next release writes a field that an older one left to its default: that is no change.
    const edit = { drain: { timeout: '10m' } };
    const reply = await call({ replicas: 3, machines: 3, edit, apiVersion: 'slipway.dev/v1beta1' });
    expect(reply.conditions.find(({ type }) => type === 'MachinesUpToDate')).toMatchObject({ status: 'True' });
    expect(created(reply)).toEqual([]);
  });

  it('are kept while one observation lacks them, and so is their slot', async () => {
    const unseen = withStatus(machine(1, 'm-1', { role: 'worker' }), {});
    const request = aRequest({
      composite: aNodePool({ spec: { replicas: 2 } }),
      observed: { 'm-0': withStatus(machine(0, 'm-0', {}), conditions(true)) },
      desired: { 'slot-0': machine(0, 'm-0-new', {}), 'slot-1': machine(1, 'm-1-new', IMAGE), 'm-1': unseen },
      context: { [CONTEXT.group]: { contract: 1, leaving: 0, quorum: false, unobserved: ['m-1'], releases: [] } },
      input: INPUT,
    });
    const reply = (await run(request, aWorld())).build();
    expect([...reply.resources.keys()].toSorted()).toEqual(['m-0', 'm-1']);
  });

  it('appear in the status of a paused pool that keeps them without a slot of their own', async () => {
    const unseen = withStatus(machine(0, 'm-0', { role: 'worker' }), {});
    const request = aRequest({
      composite: aNodePool({ spec: { replicas: 1, paused: true } }),
      observed: {},
      desired: { 'm-0': unseen },
      context: { [CONTEXT.group]: { contract: 1, leaving: 0, quorum: false, unobserved: ['m-0'], releases: [] } },
      input: INPUT,
    });
    const { conditions: said } = (await run(request, aWorld())).build();
    expect(said.find(({ type }) => type === 'MachinesUpToDate')?.message).toBe(
      'm-0: it is missing from the observed resources; it waits until it is observed again',
    );
  });
});

describe('annotations of the first releases, instead of the contract', () => {
  const group = { contract: 1, leaving: 0, quorum: false, unobserved: [], releases: [] };
  const members = { replicas: 3, machines: 4, wanted: [0, 1, 2, 3], update: { maxUnavailable: 1 } };

  it('delete lost machines', async () => {
    const reply = await call({ ...members, context: { [CONTEXT.leaving]: 0, [CONTEXT.lost]: ['m-3'] } });
    expect(gone(reply, 4)).toEqual(['m-3']);
  });

  it('are ignored beside the contract', async () => {
    const reply = await call({ ...members, context: { [CONTEXT.lost]: ['m-3'], [CONTEXT.group]: group } });
    expect(gone(reply, 4)).toEqual([]);
  });

  it.for([{ [CONTEXT.leaving]: 'two' }, { [CONTEXT.lost]: [3] }])(
    'are refused when they are invalid: %o',
    async (context) => {
      await expect(call({ ...members, context })).rejects.toMatchObject({ code: 'BrokenContract' });
    },
  );
});

describe('a name', () => {
  it('is used up only once the status counts it, so that no other machine gets it', async () => {
    const change = (one: KubeObject): KubeObject => ({
      ...one,
      metadata: { ...one.metadata, labels: { ...one.metadata?.labels, [LABEL.serial]: '4' } },
    });
    const composite = (nextSerial: number) => ({ replicas: 1, machines: 2, change, nextSerial });
    expect(gone(await callCounted(composite(4)), 2)).toEqual([]);
    expect(gone(await callCounted(composite(5)), 2)).toEqual(['m-1']);
  });
});

async function callCounted({ nextSerial, ...given }: Given & { readonly nextSerial: number }): Promise<ReplyData> {
  const machines = numbers(given.machines).map(
    (slot) =>
      given.change?.(withStatus(machine(slot, nameOf(slot), {}), conditions(true)), slot) ?? machine(slot, '', {}),
  );
  const request = aRequest({
    composite: aNodePool({ spec: { replicas: given.replicas }, status: { nextSerial } }),
    observed: Object.fromEntries(machines.map((one) => [one.metadata?.name ?? '', one])),
    desired: { 'slot-0': machine(0, 'm-0-new', {}) },
    input: INPUT,
  });
  return (await run(request, aWorld())).build();
}
