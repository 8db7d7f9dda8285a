/** The objects of a group in one call, and the data about them from the previous step. */
import { z } from 'zod';
import { availableAt, isCompositeReady } from '#lib/api/conditions.ts';
import { Leaving, Lost } from '#lib/api/contracts/earlier-group.ts';
import { Group, type Release } from '#lib/api/contracts/group.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT, LABEL } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import type { Member, SlotState } from './step.ts';

/** An object that is no longer desired, or whose slot is not. */
export interface Released {
  readonly slot: string;
  readonly member: Member;
  readonly release: Release;
}

export interface GroupState {
  /** From the step before. */
  readonly received: Group;
  /** Composition resource names of the slots. */
  readonly slotKeys: readonly string[];
  readonly slots: readonly SlotState[];
  /** In the order of removal. */
  readonly released: readonly Released[];
  /** Objects that the previous step keeps unchanged: those of a paused pool, or of a pool without its Cluster. */
  readonly kept: readonly Member[];
}

/**
 * @param minReadySeconds how long an object must have been ready to count as available
 * Throws BrokenContract for what the contract forbids.
 */
export function groupOf(request: Request, input: InPlaceUpdateInput, minReadySeconds: number, now: Date): GroupState {
  const received = readGroup(request, input);
  const members = membersOf(request, received, input, { minReadySeconds, now: now.getTime() });
  const order = new Map(received.releases.map((release, index) => [release.name, { ...release, index }]));
  const isKept = ({ key, name, unobserved }: Member): boolean =>
    !unobserved && !order.has(name) && request.desired.resources.has(key);
  const kept = members.filter(isKept);
  const free = members.filter((member) => !isKept(member));
  const staying = free.filter(({ name }) => !order.has(name));
  const keys = slotKeys(request, input, received);
  const slots = slotsOf(request, keys, Map.groupBy(staying, slotOfMember));
  const wanted = new Set(slots.flatMap((slot) => slot.members));
  const placeOf = ({ name }: Member): number => order.get(name)?.index ?? Infinity;
  const released = free
    .filter((member) => !wanted.has(member))
    .toSorted((a, b) => placeOf(a) - placeOf(b) || 0)
    .map((member) => ({ slot: slotOfMember(member), member, release: order.get(member.name) ?? surplus(member) }));
  return { received, slotKeys: keys, slots, released, kept };
}

function surplus({ name, unobserved }: Member): Release {
  const message = unobserved ? 'it is missing from the observed resources' : 'its slot is no longer desired';
  return { name, why: 'Surplus', message };
}

function readGroup({ context, observed }: Request, input: InPlaceUpdateInput): Group {
  const received = context[CONTEXT.group];
  if (received !== undefined) return parseAs(Group, received, `context ${CONTEXT.group}`, 'BrokenContract');
  const going = [...observed.resources.values()].filter(
    ({ resource }) => isSelected(resource, input) && isGoing(resource),
  );
  const earlier = <T extends z.ZodType>(schema: T, key: string): z.output<T> =>
    parseAs(schema, context[key], `context ${key}`, 'BrokenContract');
  return {
    contract: 1,
    leaving: Math.max(going.length, earlier(Leaving.default(0), CONTEXT.leaving)),
    quorum: at(observed.composite, 'spec', 'role') === 'control-plane',
    unobserved: [],
    replacements: [],
    releases: earlier(Lost.default([]), CONTEXT.lost).map((name) => ({
      name,
      why: 'Lost',
      message: 'it will not become a Node, and another machine takes its slot',
    })),
  };
}

interface Clock {
  readonly minReadySeconds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An object that is being deleted is not desired again, or it would be created again. */
function membersOf(
  { observed, desired }: Request,
  { unobserved }: Group,
  input: InPlaceUpdateInput,
  { minReadySeconds, now }: Clock,
): readonly Member[] {
  const serial = at(observed.composite, 'status', 'nextSerial');
  const memberOf = (key: string, object: KubeObject): Omit<Member, 'ready' | 'available' | 'unobserved'> => ({
    key,
    name: object.metadata?.name ?? key,
    object,
    isNode: object.kind !== 'Machine' || at(object, 'status', 'nodeRef') !== undefined,
    recorded: isRecorded(object, serial),
  });
  const seen = [...observed.resources].flatMap(([key, { resource }]): readonly Member[] => {
    if (!isSelected(resource, input) || isGoing(resource)) return [];
    // The same object in any API version: it is compared and desired in our version.
    const object = { ...resource, apiVersion: input.select.apiVersion };
    const available = (availableAt(object, minReadySeconds) ?? Infinity) <= now;
    return [{ ...memberOf(key, object), ready: isCompositeReady(object), available, unobserved: false }];
  });
  const unseen = unobserved.flatMap((key): readonly Member[] => {
    const found = desired.resources.get(key);
    if (found === undefined || observed.resources.has(key)) return [];
    // Its current state is not known.
    return [{ ...memberOf(key, found.resource), ready: false, available: false, unobserved: true }];
  });
  return [...seen, ...unseen];
}

/** Objects with a serial number are only removed once this number is recorded. */
function isRecorded({ metadata }: KubeObject, nextSerial: unknown): boolean {
  const serial = metadata?.labels?.[LABEL.serial];
  return serial === undefined || (typeof nextSerial === 'number' && nextSerial > Number(serial));
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** Objects of the kind, in any API version. */
function isSelected(object: KubeObject, { select }: InPlaceUpdateInput): boolean {
  return (
    groupName(object.apiVersion) === groupName(select.apiVersion) &&
    object.kind === select.kind &&
    slotOf(object) !== undefined
  );
}

function groupName(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')));
}

function slotOf(object: KubeObject): string | undefined {
  return object.metadata?.labels?.[LABEL.slot];
}

export function slotOfMember({ object }: Member): string {
  return slotOf(object) ?? '';
}

/**
 * Composition resource names of desired slots. A name that an existing object already has is not touched: the previous
 * step keeps that object.
 */
function slotKeys({ desired, observed }: Request, input: InPlaceUpdateInput, { unobserved }: Group): readonly string[] {
  const kept = new Set(unobserved);
  return [...desired.resources]
    .filter(([key, { resource }]) => isSelected(resource, input) && !observed.resources.has(key) && !kept.has(key))
    .map(([key]) => key);
}

function slotsOf(
  { desired }: Request,
  keys: readonly string[],
  members: ReadonlyMap<string, readonly Member[]>,
): readonly SlotState[] {
  return keys
    .flatMap((key) => desired.resources.get(key) ?? [])
    .map(({ resource }) => {
      const slot = slotOf(resource) ?? '';
      return { slot, desired: resource, members: members.get(slot) ?? [] };
    })
    .sort((a, b) => Number(a.slot) - Number(b.slot));
}
