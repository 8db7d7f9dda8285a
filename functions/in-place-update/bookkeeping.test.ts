/** Edits of Machines by hand, with the update rules of AWS pools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { ANNOTATION, CONTEXT, LABEL } from '#lib/api/words.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aMachine, aNodePool, conditions, withStatus } from '../../test/support/claims.ts';
import { aRequest, aWorld } from '../../test/support/request.ts';
import { run } from './fn.ts';

const INPUT = parse(readFileSync(join(import.meta.dirname, '../../clouds/aws/rules.yaml'), 'utf8')) as JsonObject;
const NAME = 'general-0-aaaaa';
const TAINT = { key: 'a', effect: 'NoExecute' };
const LARGE = { machine: { class: 'standard-8' } };
const IMAGE = { machine: { class: 'standard-4', image: 'ami-2' } };
/** A claim with a value for every field that the edits below change. */
const WHOLE = {
  machine: { class: 'standard-4', image: 'ami-1', rootDisk: { sizeGiB: 40 } },
  labels: {},
  taints: [],
  provisioning: { sysctls: { 'vm.max_map_count': '1' } },
};
const HELD = { fallback: 'Hold' };

/** A machine of a pool whose claim has `spec`, before it was ever observed. */
function wanted(spec: JsonObject, serial = '0'): KubeObject {
  const base = aMachine({ spec });
  const labels = { [LABEL.slot]: '0', [LABEL.serial]: serial };
  return { ...base, metadata: { name: 'general-0-bbbbb', namespace: 'team-a', labels } };
}

/** The reply about one machine for a claim with `spec`. */
async function asks(spec: JsonObject, observed: KubeObject, update: JsonObject = {}, serial = '1'): Promise<ReplyData> {
  const request = aRequest({
    composite: aNodePool({ spec: { replicas: 1, update: { maxUnavailable: 1, maxSurge: 0, ...update } } }),
    observed: { [NAME]: observed },
    desired: { 'slot-0': wanted(spec, serial) },
    input: INPUT,
  });
  return (await run(request, aWorld())).build();
}

const applied = (reply: ReplyData): KubeObject => reply.resources.get(NAME)!.resource;
const markOf = ({ metadata }: KubeObject): string | undefined => metadata?.annotations?.[ANNOTATION.template];
/** The machine as stored by the API server and ready; `status` is the status of the Machine. */
const stored = (object: KubeObject, status: JsonObject = {}): KubeObject =>
  withStatus(object, { ...conditions(true), ...status });
const edited = (object: KubeObject, spec: JsonObject): KubeObject => ({ ...object, spec: { ...object.spec, ...spec } });
const order = (object: KubeObject): JsonObject | undefined => at(object, 'spec', 'update') as JsonObject | undefined;

/** A machine of this release that has `spec`. */
async function settled(spec: JsonObject = {}): Promise<KubeObject> {
  const named = wanted(spec);
  const unmarked = stored({ ...named, metadata: { ...named.metadata, name: NAME } });
  return stored(applied(await asks(spec, unmarked)));
}

describe('a directly edited Machine', () => {
  test.for([
    { name: 'its size', edit: { machine: { ...WHOLE.machine, class: 'standard-8' } } },
    { name: 'its image', edit: { machine: { ...WHOLE.machine, image: 'ami-2' } } },
    { name: 'a smaller disk', edit: { machine: { ...WHOLE.machine, rootDisk: { sizeGiB: 30 } } } },
    { name: 'its version', edit: { version: 'v1.35.5' } },
    { name: 'a taint that evicts', edit: { taints: [TAINT] } },
    { name: 'a kernel setting', edit: { provisioning: { sysctls: { 'vm.max_map_count': '2' } } } },
    { name: 'a field that was removed', edit: { machine: { class: 'standard-4', rootDisk: { sizeGiB: 40 } } } },
    { name: 'several fields', edit: { ...LARGE, version: 'v1.36.0' } },
  ])('is reverted and keeps running: $name', async ({ edit }) => {
    const before = await settled(WHOLE);
    const reply = await asks(WHOLE, edited(before, edit));
    expect(reply.conditions.find(({ type }) => type === 'MachinesUpToDate')).toMatchObject({ status: 'True' });
    expect([...reply.resources.keys()]).toEqual([NAME]);
    expect(applied(reply).spec).toEqual(before.spec);
    expect(order(applied(reply))).toBeUndefined();
    expect(markOf(applied(reply))).toBe(markOf(before));
  });

  it('is distinguished from an edit of the claim in the plan', async () => {
    const reply = await asks({}, edited(await settled(), LARGE));
    expect(at(reply.context[CONTEXT.updatePlan], 'changes')).toEqual([
      {
        machines: [NAME],
        field: 'spec.machine.class',
        old: '"standard-8"',
        new: '"standard-4"',
        decision: 'Patch',
        reason: 'it was edited on the Machine directly and is reverted; edit the claim instead',
      },
    ]);
  });

  it('is also reverted when rules hold every change of the claim', async () => {
    const reply = await asks({}, edited(await settled(), LARGE), HELD);
    expect(at(applied(reply), 'spec', 'machine')).toEqual({ class: 'standard-4' });
  });

  test.for([
    { name: 'an image', edit: IMAGE, field: 'spec.machine.image', left: { class: 'standard-4' } },
    {
      name: 'a type instead of a class',
      edit: { machine: { instanceType: 'm6i.large' } },
      field: 'spec.machine.instanceType',
      left: {},
    },
    {
      name: 'a file, where the default is an empty list',
      edit: { provisioning: { files: [{ path: '/etc/x', content: 'x' }] } },
      field: 'spec.provisioning.files',
      left: { class: 'standard-4' },
    },
  ])('is held with all fields of the edit when the edit added a field: $name', async ({ edit, field, left }) => {
    const changed = edited(await settled(), { ...edit, version: 'v1.35.5' });
    const reply = await asks({}, changed);
    expect(at(applied(reply), 'spec', 'version')).toBe('v1.35.5');
    // The added field stays with its field manager.
    expect(at(applied(reply), 'spec', 'machine')).toEqual(left);
    expect(at(applied(reply), 'spec', 'provisioning')).toBeUndefined();
    expect(reply.conditions.find(({ type }) => type === 'MachinesUpToDate')?.message).toContain(
      `${field} was added to the Machine directly and belongs to another field manager: remove it from the Machine, or delete the Machine to have it replaced`,
    );
    const { provisioning: _files, ...rest } = changed.spec ?? {};
    const mended = { ...changed, spec: { ...rest, machine: { class: 'standard-4' } } };
    expect(applied(await asks({}, mended)).spec).toEqual((await settled()).spec);
  });

  it('keeps fields that the rules ignore, because machines may differ there', async () => {
    const bootstrap = { provider: 'kubeadm', action: 'Init' };
    const reply = await asks({}, edited(await settled(), { bootstrap }));
    expect(at(applied(reply), 'spec', 'bootstrap', 'action')).toBe('Init');
  });

  it('is treated by the rules once the claim changed, too, because then the two edits cannot be told apart', async () => {
    const reply = await asks({ labels: { team: 'a' } }, edited(await settled(), IMAGE), { maxSurge: 1 });
    expect(reply.resources.size).toBe(2);
  });

  it('is treated by the rules in another failure domain, because no patch changes that', async () => {
    const reply = await asks({ failureDomain: 'eu-west-1b' }, await settled(), { maxSurge: 1 });
    expect(reply.resources.size).toBe(2);
  });
});

describe('while a Machine is updated in place', () => {
  const begun = async (): Promise<KubeObject> => {
    const ordered = applied(await asks(LARGE, await settled()));
    return stored(ordered, { update: { id: order(ordered)?.['id'] ?? '', phase: 'Draining' } });
  };

  it('its template annotation changes with the update request, so an edit by hand is reverted and the update continues', async () => {
    const underWay = await begun();
    const reply = await asks(LARGE, edited(underWay, { machine: { class: 'standard-16' } }));
    expect(at(applied(reply), 'spec', 'machine', 'class')).toBe('standard-8');
    expect(order(applied(reply))).toEqual(order(underWay));
  });

  it('a removed update request counts as failed: its fields are new, and no function updates them', async () => {
    const { update: _order, ...spec } = (await begun()).spec ?? {};
    const without = { ...(await begun()), spec };
    const reply = await asks(LARGE, without);
    expect(reply.conditions.find(({ type }) => type === 'MachinesUpToDate')).toMatchObject({ reason: 'Held' });
    const again = await asks({ machine: { class: 'standard-16' } }, without);
    expect(order(applied(again))).toMatchObject({ updaters: [{ fields: ['spec.machine.class'] }] });
  });

  it('an update request with an edited id is treated like any other, and counts for the budget', async () => {
    const underWay = await begun();
    const other = edited(underWay, { update: { ...order(underWay), id: 'by-hand' } });
    const reply = await asks(LARGE, other);
    expect(order(applied(reply))).toEqual(order(other));
    expect(reply.conditions.find(({ type }) => type === 'Updating')).toMatchObject({ status: 'True' });
  });

  it('another edit of the claim waits until the update ends and does not change the template annotation', async () => {
    const underWay = await begun();
    const reply = await asks({}, underWay);
    expect(at(applied(reply), 'spec', 'machine', 'class')).toBe('standard-8');
    expect(markOf(applied(reply))).toBe(markOf(underWay));
  });
});

describe('the template annotation of a Machine', () => {
  it('is added without events to a Machine of an earlier release once that Machine is as desired', async () => {
    const old = stored({ ...wanted({}), metadata: { ...wanted({}).metadata, name: NAME } });
    const reply = await asks({}, old);
    expect(markOf(applied(reply))).toMatch(/^[a-z0-9]{10}$/);
    expect(applied(reply).spec).toEqual(old.spec);
    expect([reply.events, reply.context, reply.status]).toEqual([[], {}, { upToDateReplicas: 1 }]);
  });

  it('does not change how a Machine of an earlier release without it is treated', async () => {
    const old = stored({ ...wanted({}), metadata: { ...wanted({}).metadata, name: NAME } });
    expect((await asks({}, edited(old, IMAGE), { maxSurge: 1 })).resources.size).toBe(2);
  });

  it('is the only change when a release writes the same fields in another way', async () => {
    const before = await settled();
    const reply = await asks({ provisioning: { files: [] } }, before);
    expect(markOf(applied(reply))).not.toBe(markOf(before));
    expect([reply.events, reply.context]).toEqual([[], {}]);
    expect(reply.conditions.find(({ type }) => type === 'MachinesUpToDate')).toMatchObject({ status: 'True' });
  });

  it('is kept while none of the new fields is applied', async () => {
    const before = await settled();
    const held = applied(await asks(IMAGE, before, HELD));
    expect(markOf(held)).toBe(markOf(before));
    const back = await asks({}, edited(stored(held), LARGE), HELD);
    expect(applied(back).spec).toEqual(before.spec);
  });

  it('is removed when only some of the new fields are applied, so that reverting them does not count as an edit by hand', async () => {
    const before = await settled({ taints: [TAINT] });
    const part = applied(await asks({ ...IMAGE, taints: [] }, before, HELD));
    expect(at(part, 'spec', 'taints')).toEqual([]);
    expect(markOf(part)).toBeUndefined();
    // The taint evicts pods, so the rules require a drain first.
    const back = applied(await asks({ taints: [TAINT] }, stored(part), HELD));
    expect(order(back)).toMatchObject({ updaters: [{ name: 'taints' }] });
  });

  it('is added with the rest of the new fields', async () => {
    const claim = { ...IMAGE, labels: { team: 'a' } };
    const part = stored(applied(await asks(claim, await settled(), HELD)));
    const whole = applied(await asks({ labels: { team: 'a' } }, part, HELD));
    expect(markOf(whole)).toBe(markOf(await settled({ labels: { team: 'a' } })));
  });

  it('and the serial number do not appear in a plan, condition, event or count', async () => {
    const replies = [
      await asks({}, await settled(), {}, '7'),
      await asks(IMAGE, await settled(), HELD, '7'),
      await asks(LARGE, await settled(), { strategy: 'OnDelete' }, '7'),
    ];
    for (const { conditions: said, events, context, status, resources } of replies) {
      expect(JSON.stringify([said, events, context, status])).not.toMatch(/slipway\.dev\/(serial|template)/);
      expect(resources.get(NAME)?.resource.metadata?.labels?.[LABEL.serial]).toBe('0');
    }
    expect(replies[0]?.status).toEqual({ upToDateReplicas: 1 });
  });
});
