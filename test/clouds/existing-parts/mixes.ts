/** Any mix of parts of somebody else, each named in any way: by the seed that makes it. */
import fc from 'fast-check';
import type { JsonObject } from '#lib/api/json.ts';
import type { ReferablePart } from '#lib/cloud/references.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import type { CloudCase, Foreign, PartCase, Seen } from './case.ts';
import type { Naming, Way } from './referring.ts';

export interface Mix {
  /** Its parts together. */
  readonly one: PartCase;
  readonly naming: Naming;
  /** Which parts, and how they are named. */
  readonly title: string;
}

/** Two cases of one part cannot be in one claim. */
const INSTEAD: Readonly<Record<string, string>> = {
  'identities of the platform': 'identities',
  'endpoint alone': 'load balancer',
};

const WAYS = ['id', 'name', 'labels'] as const;
const PARTS: readonly ReferablePart[] = [
  'network',
  'subnets',
  'securityGroups',
  'identities',
  'loadBalancerTargets',
  'resourceGroup',
  'encryptionKey',
];

export function mixOf({ parts }: CloudCase, seed: number): Mix {
  const slots = [...new Set(parts.map(({ part }) => INSTEAD[part] ?? part))];
  const choice = fc.record({
    slots: fc.subarray(slots, { minLength: 1 }),
    other: fc.array(fc.nat(), { minLength: slots.length, maxLength: slots.length }),
    ways: fc.array(fc.constantFrom(...WAYS), { minLength: PARTS.length, maxLength: PARTS.length }),
  });
  const [{ slots: chosen, other, ways } = { slots: [], other: [], ways: [] }] = fc.sample(choice, { seed, numRuns: 1 });
  const mix = chosen.flatMap((slot, n) => {
    const cases = parts.filter(({ part }) => (INSTEAD[part] ?? part) === slot);
    return cases[(other[n] ?? 0) % cases.length] ?? [];
  });
  const wayOf = new Map<ReferablePart, Way>(PARTS.map((part, n) => [part, ways[n] ?? 'id']));
  const naming: Naming = (part) => wayOf.get(part) ?? 'id';
  return { one: together(mix), naming, title: `${mix.map(({ part }) => part).join(', ')}; ${ways.join(' ')}` };
}

export function together(parts: readonly PartCase[]): PartCase {
  const batches = Math.max(0, ...parts.map(({ owned }) => owned.length));
  const inputs = parts.flatMap(({ input }) => input ?? []);
  return {
    part: parts.map(({ part }) => part).join(', '),
    owned: Array.from(
      { length: batches },
      (_, n) => (seen: Seen) => once(parts.flatMap(({ owned }) => owned[n]?.(seen) ?? [])),
    ),
    claim: (seen) => merged(parts.map(({ claim }) => claim(seen))),
    input: (seen) => merged(inputs.map((input) => input(seen))),
    without: parts.flatMap(({ without }) => without),
    lookedAt: parts.flatMap(({ lookedAt = [] }) => lookedAt),
  };
}

function merged(all: readonly JsonObject[]): JsonObject {
  return all.reduce<JsonObject>((sum, one) => mergePatch(sum, one) as JsonObject, {});
}

function once(all: readonly Foreign[]): readonly Foreign[] {
  return [...new Map(all.map((one) => [`${one.kind} ${one.name}`, one])).values()];
}
