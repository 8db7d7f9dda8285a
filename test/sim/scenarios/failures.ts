/** Machines that never boot, become unhealthy, or are changed by a user; versions that must wait or be refused. */
import { ANNOTATION } from '#lib/api/words.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { BROKEN_IMAGE } from '../machines.ts';
import { type Case, controlPlane, HEALTH, replaced, resized, type Scenario, workers } from './scenario.ts';

const broken = { machine: { class: 'standard-4', image: BROKEN_IMAGE } };
const POOLS: readonly (readonly [string, JsonObject])[] = [
  ['workers', workers(3, 1, 0)],
  ['workers that may be missing', workers(4, 0, 1)],
  ['many workers', workers(6, 2, 1)],
];
const CONTROL_PLANES: readonly (readonly [string, JsonObject])[] = [1, 3, 5, 7].map((size) => [
  `control plane of ${size}`,
  controlPlane(size),
]);

function badImages(pools: readonly (readonly [string, JsonObject])[]): readonly Case[] {
  return pools.flatMap(([name, spec], first): readonly Case[] => [
    {
      name: `${name}, an image that does not boot`,
      spec,
      edits: [{ at: 1, spec: broken }],
      stays: true,
      hours: 2,
      golden: first === 0,
    },
    {
      name: `${name}, an image that does not boot, and one that does`,
      spec,
      edits: [
        { at: 1, spec: broken },
        { at: 40, spec: replaced },
      ],
    },
    {
      name: `${name}, an image that does not boot, taken back`,
      spec,
      edits: [
        { at: 1, spec: broken },
        { at: 25, spec: { machine: { class: 'standard-4' } } },
      ],
      ends: { machine: { class: 'standard-4' } },
    },
    {
      name: `${name}, an image that does not boot with one more machine`,
      spec,
      edits: [
        { at: 1, spec: { ...broken, replicas: Number(spec['replicas']) + 2 } },
        { at: 40, spec: replaced },
      ],
    },
  ]);
}

/** As many as leave a majority. */
const SICK = [
  [3, 1],
  [5, 1],
  [5, 2],
  [7, 2],
  [7, 3],
] as const;

const sick: Scenario = {
  name: 'control plane, sick members',
  cases: SICK.flatMap(([size, ill]): readonly Case[] => {
    const spec = { ...controlPlane(size), health: { ...HEALTH, maxUnhealthy: '50%' } };
    const name = `control plane, ${ill} of ${size} sick`;
    return [
      { name, spec, edits: [{ at: 1, sick: ill }], golden: size === 5 },
      { name: `${name} and replaced`, spec, edits: [{ at: 1, sick: ill, spec: replaced }] },
      {
        name: `${name} while resized`,
        spec,
        edits: [
          { at: 1, spec: resized },
          { at: 5, sick: ill },
        ],
      },
      {
        name: `${name} and fewer`,
        spec,
        edits: [
          { at: 1, sick: ill },
          { at: 3, spec: { replicas: size - 2 } },
        ],
      },
    ];
  }),
};

const sickWorkers: Scenario = {
  name: 'sick workers',
  cases: [workers(5, 1, 0), workers(5, 0, 1), workers(5, 2, 2)].flatMap((spec): readonly Case[] => [
    { name: 'two of five sick', spec, edits: [{ at: 1, sick: 2 }] },
    {
      name: 'two of five sick while replaced',
      spec,
      edits: [
        { at: 1, spec: replaced },
        { at: 4, sick: 2 },
      ],
    },
    {
      name: 'one of five sick while resized and fewer',
      spec,
      edits: [
        { at: 1, spec: resized },
        { at: 2, sick: 1 },
        { at: 6, spec: { replicas: 3 } },
      ],
    },
  ]),
};

const MARKS = [ANNOTATION.remediateMachine, ANNOTATION.deleteMachine] as const;
const person: Scenario = {
  name: 'a person takes part',
  cases: [...POOLS, ...CONTROL_PLANES.slice(1)].flatMap(([name, spec]): readonly Case[] => [
    ...MARKS.map((marked): Case => ({
      name: `${name}, ${marked} while replaced`,
      spec,
      edits: [
        { at: 1, spec: replaced },
        { at: 4, marked },
      ],
    })),
    {
      name: `${name}, marked and fewer`,
      spec,
      edits: [
        { at: 1, marked: ANNOTATION.deleteMachine },
        { at: 2, spec: { replicas: Math.max(1, Number(spec['replicas']) - 2) } },
      ],
    },
    {
      name: `${name}, deleted while resized`,
      spec,
      edits: [
        { at: 1, spec: resized },
        { at: 4, removed: 1 },
        { at: 9, removed: 1 },
      ],
    },
    { name: `${name}, deleted`, spec, edits: [{ at: 1, removed: 1 }] },
    { name: `${name}, asked away`, spec, edits: [{ at: 1, marked: ANNOTATION.remediateMachine }] },
  ]),
};

const versions: Scenario = {
  name: 'versions of workers',
  cases: [workers(3, 1, 0), workers(3, 0, 1)].flatMap((spec): readonly Case[] => [
    { name: 'a minor version', spec, edits: [{ at: 1, version: 'v1.36.0' }], ends: { version: 'v1.36.0' } },
    {
      name: 'a version that the control plane reaches later',
      spec,
      edits: [
        { at: 1, version: 'v1.36.0', runs: 'v1.35.4' },
        { at: 8, version: 'v1.36.0' },
      ],
      ends: { version: 'v1.36.0' },
    },
    ...['v1.34.4', 'v1.25.4', 'v1.35.3'].map((version): Case => ({
      name: `a Cluster set back to ${version}, its control plane not`,
      spec,
      edits: [{ at: 1, version, runs: 'v1.35.4' }],
      ends: { version: 'v1.35.4' },
      inPlace: true,
    })),
    {
      name: 'a version of its own',
      spec,
      edits: [{ at: 1, version: 'v1.36.0', spec: { version: 'v1.35.5' } }],
      ends: { version: 'v1.35.5' },
    },
  ]),
};

export const FAILURES: readonly Scenario[] = [
  { name: 'an image that does not boot', cases: badImages(POOLS) },
  { name: 'control plane, an image that does not boot', cases: badImages(CONTROL_PLANES) },
  sick,
  sickWorkers,
  person,
  versions,
];
