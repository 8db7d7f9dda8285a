/**
 * No field of a claim is ignored. Every field that is honoured or mapped changes what functions answer, when it changes;
 * what a Cluster and a NodePool hand on is followed to the kind that gets it. Every field that a flavour refuses is
 * refused with the same line by function, `slipway validate` and `slipway plan`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SUPPORT } from '#clouds/support.ts';
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { BY_FLAVOUR, type ClaimKind, type FlavourField, type Places, ROWS } from '#lib/api/support/rows.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { judge, lineOf } from '../../cli/validate/findings.ts';
import { type FlavourSamples, flavourSamples } from './flavour.ts';
import { LANDS } from './lands.ts';
import { givenFor, NEUTRAL } from './samples.ts';
import { REFUSED, type Stage, stageOf, withSpec } from './stage.ts';

const flavours = readdirSync(join(ROOT, 'clouds'))
  .filter((name) => Object.hasOwn(SUPPORT, name))
  .toSorted();
const [first = ''] = flavours;
const withoutIndexes = (field: string): string => field.replaceAll(/\[\d+\]/g, '[]');
const neutral = ROWS.filter(({ by }) => by !== undefined);

interface Case {
  readonly kind: ClaimKind;
  /** Path with indexes. */
  readonly path: string;
  readonly to: Json;
  readonly given: JsonObject;
  readonly refused: string | undefined;
}

/** The field of a sample in each kind that has it. */
function casesOf(
  places: Places,
  field: string,
  kinds: readonly ClaimKind[],
): readonly (readonly [ClaimKind, string])[] {
  const indexes = [...field.matchAll(/\[\d+\]/g)].map(([index]) => index);
  return kinds.flatMap((kind) => {
    const place = places[kind];
    let next = 0;
    return place === undefined ? [] : [[kind, place.replaceAll('[]', () => indexes[next++] ?? '[0]')] as const];
  });
}

const KINDS: readonly ClaimKind[] = ['Cluster', 'NodePool', 'Machine'];

test('every field that steps decide about has another value to try', () => {
  const tried = new Set(Object.keys(NEUTRAL).map(withoutIndexes));
  expect(neutral.map(({ field }) => field).filter((field) => !tried.has(field))).toEqual([]);
  const rows = new Set(neutral.map(({ field }) => field));
  expect([...tried].filter((field) => !rows.has(field))).toEqual([]);
});

test.for(Object.entries(LANDS))(
  'what %s does to a NodePool is tested where machines are decided about',
  ([field, file]) => {
    const name = field.split('.').at(-1) ?? '';
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(name);
  },
);

/** Sets a value of a claim, below lists that exist. */
function setAt(target: Json | undefined, steps: readonly string[], value: Json): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (/^\d+$/.test(step)) {
    const items: readonly Json[] = Array.isArray(target) ? (target as readonly Json[]) : [];
    return items.map((item, index) => (index === Number(step) ? setAt(item, rest, value) : item));
  }
  const fields = isJsonObject(target) ? target : {};
  return { ...fields, [step]: setAt(fields[step], rest, value) };
}

const stepsOf = (path: string): readonly string[] =>
  path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .slice(1);

/** A new claim has composed nothing yet. */
function withoutComposed(claim: KubeObject): KubeObject {
  const crossplane = claim.spec?.['crossplane'];
  if (!isJsonObject(crossplane)) return claim;
  const { resourceRefs: _refs, ...selected } = crossplane;
  return { ...claim, spec: { ...claim.spec, crossplane: selected } };
}

/** @param field  below spec; machines of a control plane are in the Cluster */
function placeOf(kind: ClaimKind, field: string): string {
  return kind === 'Cluster' && field.startsWith('machine.') ? `spec.controlPlane.${field}` : `spec.${field}`;
}

async function expectLanding(stage: Stage, { kind, path, to, given, refused }: Case): Promise<void> {
  const before = withSpec(stage.object(kind), given);
  const after = { ...before, spec: setAt(before.spec, stepsOf(path), to) as JsonObject };
  expect(after, 'the sample changes the claim').not.toEqual(before);
  const [was, is] = [await stage.outcome(before), await stage.outcome(after)];
  const differing = is.filter((text, index) => text !== was[index]);
  expect(
    differing.length,
    `${path} changes nothing: ${is.map((text) => text.slice(0, 200)).join('\n')}`,
  ).toBeGreaterThan(0);
  const isAnswered = differing.some((text) => !text.startsWith(REFUSED));
  const line = refused ?? 'nothing';
  expect(isAnswered || differing.some((text) => text.includes(line)), differing[0]?.slice(0, 300)).toBe(true);
}

const sampled = Object.entries(NEUTRAL).flatMap(([field, sample]) =>
  neutral
    .filter((row) => row.field === withoutIndexes(field))
    .flatMap(({ places }) => casesOf(places, field, KINDS))
    .filter(([kind, path]) => !Object.hasOwn(LANDS, `${kind} ${path}`))
    .map(([kind, path]): Case => ({
      kind,
      path,
      to: sample.to,
      given: givenFor(kind, field, sample),
      refused: sample.refused,
    })),
);

describe.for(flavours)('on %s', (flavour) => {
  let stage: Stage;
  let samples: ReturnType<typeof flavourSamples>;

  beforeAll(async () => {
    const { CLAIMS } = (await import(join(ROOT, `clouds/${flavour}/claims.fixture.ts`))) as { CLAIMS: FlavourSamples };
    samples = flavourSamples(CLAIMS);
    stage = await stageOf(flavour, CLAIMS);
  });

  afterAll(() => vi.restoreAllMocks());

  const cells = Object.entries(SUPPORT[flavour]?.fields ?? {}).flatMap(([field, support]) =>
    KINDS.filter((kind) => Object.hasOwn(BY_FLAVOUR[field as FlavourField], kind)).map((kind) => ({
      kind,
      field: field as FlavourField,
      support,
    })),
  );

  const caseOf = (kind: ClaimKind, field: FlavourField): Case => {
    const { to, given, refused, field: path = field } = samples[field];
    const [[, place] = [kind, '']] = casesOf(BY_FLAVOUR[field], path, [kind]);
    return { kind, path: place, to, given: given?.(kind) ?? {}, refused };
  };

  test.for(cells.filter(({ support }) => support.is !== 'refused'))(
    '$kind: $field is honoured',
    async ({ kind, field }) => expectLanding(stage, caseOf(kind, field)),
  );

  test.for(cells.filter(({ support }) => support.is === 'refused'))('$kind: $field is refused', async (cell) => {
    const { kind, path, to, given } = caseOf(cell.kind, cell.field);
    const { status: _status, ...existing } = stage.object(kind);
    const before = withSpec(
      withoutComposed({ ...existing, metadata: { ...existing.metadata, name: `new-${kind.toLowerCase()}` } }),
      given,
    );
    const claim = { ...before, spec: setAt(before.spec, stepsOf(path), to) as JsonObject };
    const outcome = await stage.outcome(claim);
    const refusal = outcome.find((text) => text.startsWith(REFUSED)) ?? '';
    const accepted = cell.support.is === 'refused' ? cell.support.accepted : '';
    const { refusedFirst } = samples[cell.field];
    expect(refusal, 'the function').toContain(`${refusedFirst === undefined ? path : placeOf(kind, refusedFirst)}: `);
    expect(refusal, 'the function').toContain(`accepted: ${accepted}`);
    if (kind === 'Machine') return;
    const line = refusal.slice(REFUSED.length);
    const { refused: found } = await judge(stage.world, [claim]);
    expect(found.map(lineOf), 'slipway validate').toEqual([expect.stringContaining(line)]);
    const entries = await planClaims(stage.world, [claim]);
    const planned = entries.filter(({ decision }) => decision === 'Refused');
    expect(
      planned.map(({ field, reason }) => `${field}: ${reason}`),
      'slipway plan',
    ).toEqual([line]);
  });

  // Steps that know no cloud do the same on every one: once is enough.
  test.for(flavour === first ? sampled : [])('$kind: $path changes what functions answer', async (one) =>
    expectLanding(stage, one),
  );
});
