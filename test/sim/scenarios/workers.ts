/** Worker pools: every budget, and every way to change a machine to what the claim asks for. */
import type { JsonObject } from '#lib/api/json.ts';
import {
  budget,
  type Case,
  HEALTH,
  IMAGE,
  replaced,
  resized,
  type Scenario,
  SYSCTL,
  TAINTED,
  workers,
} from './scenario.ts';

const BUDGETS: readonly { readonly name: string; readonly spec: JsonObject; readonly golden?: boolean }[] = [
  { name: 'surge only', spec: workers(3, 1, 0), golden: true },
  { name: 'unavailable only', spec: workers(3, 0, 1), golden: true },
  { name: 'surge and unavailable', spec: workers(4, 2, 1), golden: true },
  { name: 'over-large values', spec: workers(3, 10, 10), golden: true },
  { name: 'percentages', spec: workers(5, '25%', '20%'), golden: true },
  { name: 'one of each', spec: workers(3, 1, 1), golden: true },
  { name: 'a share that is none', spec: workers(3, '34%', '0%'), golden: true },
  { name: 'one machine, surge', spec: workers(1, 1, 0) },
  { name: 'one machine, unavailable', spec: workers(1, 0, 1) },
  { name: 'many, surge', spec: workers(6, 2, 0) },
];

function each(way: string, change: JsonObject): Scenario {
  const cases = BUDGETS.map(({ name, ...rest }) => ({
    name: `${name}, ${way}`,
    edits: [{ at: 1, spec: change }],
    ends: change,
    ...rest,
  }));
  return { name: `budgets, ${way}`, cases };
}

const another = (name: string, spec: JsonObject, first: JsonObject, second: JsonObject, at = 4): Case => ({
  name,
  spec,
  edits: [
    { at: 1, spec: first },
    { at, spec: second },
  ],
  ends: second,
  golden: true,
});

const anotherChange: Scenario = {
  name: 'another change while it rolls out',
  cases: [
    another('another change while it rolls out, replace', workers(3, 1, 1), replaced, {
      machine: { class: 'standard-4', image: 'ubuntu-26.10' },
    }),
    another('another change while it rolls out, in place', workers(3, 1, 1), resized, {
      machine: { class: 'standard-16' },
    }),
    another(
      'taken back while it rolls out, replace',
      workers(3, 1, 0),
      replaced,
      { machine: { class: 'standard-4' } },
      5,
    ),
    ...[workers(3, 1, 0), workers(3, 0, 1), workers(5, 2, 1)].flatMap((spec) => [
      {
        ...another('replaced, then resized', spec, replaced, { machine: { class: 'standard-8', image: IMAGE.image } }),
        golden: false,
      },
      {
        ...another('resized, then replaced', spec, resized, { machine: { class: 'standard-8', image: IMAGE.image } }),
        golden: false,
      },
      { ...another('resized and taken back', spec, resized, { machine: { class: 'standard-4' } }), golden: false },
      { ...another('resized and labelled', spec, resized, { labels: { team: 'a' } }), golden: false },
    ]),
  ],
};

const quiet: Scenario = {
  name: 'no machine is replaced',
  cases: [
    {
      name: 'a patch',
      spec: workers(3, 1, 0),
      edits: [{ at: 1, spec: { labels: { team: 'a' } } }],
      inPlace: true,
      golden: true,
    },
    {
      name: 'an evicting taint',
      spec: workers(3, 0, 1),
      edits: [{ at: 1, spec: TAINTED }],
      inPlace: true,
      golden: true,
    },
    {
      name: 'a patch version',
      spec: workers(3, 0, 1),
      edits: [{ at: 1, version: 'v1.35.5' }],
      inPlace: true,
      golden: true,
    },
    { name: 'a kernel setting', spec: workers(3, 1, 0), edits: [{ at: 1, spec: SYSCTL }], inPlace: true, golden: true },
    {
      name: 'a taint that comes, goes and comes back',
      spec: workers(3, 0, 1),
      edits: [
        { at: 1, spec: TAINTED },
        { at: 9, spec: { taints: [] } },
        { at: 14, spec: TAINTED },
      ],
      inPlace: true,
    },
    ...['replace', 'in place'].map((way): Case => ({
      name: `on delete, ${way}`,
      spec: { replicas: 3, health: HEALTH, update: { strategy: 'OnDelete' } },
      edits: [{ at: 1, spec: way === 'replace' ? replaced : resized }],
      // Machines that are lost meanwhile are created from the current claim.
      stays: true,
      inPlace: true,
      golden: true,
    })),
    {
      name: 'held',
      spec: { replicas: 3, health: HEALTH, update: { fallback: 'Hold' } },
      edits: [{ at: 1, spec: replaced }],
      ends: { machine: { class: 'standard-4' } },
      stays: true,
      inPlace: true,
      golden: true,
    },
  ],
};

const restarts: Scenario = {
  name: 'restarts and machines that must be ready for a while',
  cases: [workers(3, 1, 0), workers(3, 0, 1), workers(4, 2, 1)].flatMap((spec): readonly Case[] => {
    const update = spec['update'] as JsonObject;
    return [
      {
        name: 'a restart',
        spec,
        edits: [{ at: 1, spec: { update: { ...update, rolloutAfter: '2026-01-01T00:05:00Z' } } }],
      },
      {
        name: 'two minutes ready',
        spec: { ...spec, update: { ...update, minReadySeconds: 120 } },
        edits: [{ at: 9, spec: replaced }],
      },
      {
        name: 'two minutes ready, in place',
        spec: { ...spec, update: { ...update, minReadySeconds: 120 } },
        edits: [{ at: 9, spec: resized }],
      },
    ];
  }),
};

const PAUSED = [
  { at: 1, spec: { paused: true } },
  { at: 12, spec: { paused: false } },
];
const paused: Scenario = {
  name: 'paused',
  cases: [budget(1, 0), budget(0, 1), budget(0, 2)].flatMap((update): readonly Case[] =>
    [replaced, resized, { replicas: 5 }, { replicas: 2 }, { replicas: 2, ...replaced }].map((change) => ({
      name: `paused in the middle of ${Object.keys(change).join(' and ')}`,
      spec: { replicas: 3, health: HEALTH, ...update },
      edits: [{ at: 1, spec: change }, ...PAUSED.map((edit) => ({ ...edit, at: edit.at + 3 })), { at: 18, removed: 1 }],
    })),
  ),
};

const zones: Scenario = {
  name: 'a zone is taken out',
  cases: [workers(3, 1, 0), workers(6, 0, 2), workers(5, 1, 1)].flatMap((spec): readonly Case[] => [
    { name: 'a zone is taken out', spec, edits: [{ at: 1, zones: [0, 1] }], golden: spec['replicas'] === 3 },
    {
      name: 'two zones are taken out, and one comes back',
      spec,
      edits: [
        { at: 1, zones: [0] },
        { at: 5, zones: [0, 2] },
      ],
    },
  ]),
};

export const WORKERS: readonly Scenario[] = [
  each('replace', replaced),
  each('in place', resized),
  anotherChange,
  quiet,
  restarts,
  paused,
  zones,
];
