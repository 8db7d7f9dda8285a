/** Pools that are scaled: alone, together with a change, and during one. */
import type { JsonObject } from '#lib/api/json.ts';
import { type Case, controlPlane, type Edit, replaced, resized, type Scenario, workers } from './scenario.ts';

const CHANGES: readonly { readonly name: string; readonly edit: Omit<Edit, 'at'> }[] = [
  { name: 'image', edit: { spec: replaced } },
  { name: 'class', edit: { spec: resized } },
  { name: 'version', edit: { version: 'v1.35.5' } },
  { name: 'image and class', edit: { spec: { machine: { class: 'standard-8', image: 'ubuntu-26.04' } } } },
  { name: 'class and labels', edit: { spec: { ...resized, labels: { team: 'a' } } } },
];

const WORKER_SCALES = [
  [3, 2],
  [6, 3],
  [2, 5],
  [4, 1],
  [3, 0],
] as const;
const CONTROL_PLANE_SCALES = [
  [5, 1],
  [5, 3],
  [3, 1],
  [7, 3],
  [1, 3],
  [3, 5],
  [1, 5],
] as const;

interface Pool {
  readonly from: number;
  readonly to: number;
  readonly spec: JsonObject;
}

const WORKER_POOLS: readonly Pool[] = WORKER_SCALES.flatMap(([from, to]) =>
  [workers(from, 1, 0), workers(from, 0, 1), workers(from, 1, 1)].map((spec) => ({ from, to, spec })),
);
const CONTROL_PLANES: readonly Pool[] = CONTROL_PLANE_SCALES.map(([from, to]) => ({
  from,
  to,
  spec: controlPlane(from),
}));

/** Both edits in one, or one some steps after the other. */
function together(
  pools: readonly Pool[],
  later: number,
  golden: (pool: Pool, change: string) => boolean,
): readonly Case[] {
  return pools.flatMap((pool) =>
    CHANGES.map(({ name, edit }): Case => {
      const scale = { replicas: pool.to };
      const edits =
        later === 0
          ? [{ ...edit, at: 1, spec: { ...edit.spec, ...scale } }]
          : [
              { ...edit, at: 1 },
              { at: 1 + later, spec: scale },
            ];
      const label = `${pool.spec['role'] === undefined ? '' : 'control plane, '}${pool.from} to ${pool.to}`;
      return {
        name: later === 0 ? `${label} with ${name}` : `${label} while ${name} rolls out`,
        spec: pool.spec,
        edits,
        golden: golden(pool, name),
      };
    }),
  );
}

const hasGolden = ({ from, to, spec }: Pool, change: string): boolean =>
  (spec['role'] === undefined &&
    from === 3 &&
    to === 2 &&
    (spec['update'] as JsonObject)['maxUnavailable'] === 0 &&
    change !== 'class and labels') ||
  (spec['role'] !== undefined && from === 5 && to !== 1 && change === 'version') ||
  (spec['role'] !== undefined && from === 5 && to === 1 && (change === 'image' || change === 'class'));

/** During a change, with their old names. */
function scaled(name: string, replicas: number): readonly Case[] {
  const spec = workers(3, 1, 0);
  return [
    { name: `${name}, replace`, change: replaced },
    { name: `${name}, in place`, change: resized },
  ].map(({ name: own, change }) => ({
    name: own,
    spec,
    edits: [
      { at: 1, spec: change },
      { at: 4, spec: { replicas } },
    ],
    ends: change,
    golden: true,
  }));
}

export const SCALING: readonly Scenario[] = [
  { name: 'scale with a change', cases: together(WORKER_POOLS, 0, hasGolden) },
  {
    name: 'scale while a change rolls out',
    cases: [
      ...scaled('scale in while it rolls out', 2),
      ...scaled('scale out while it rolls out', 5),
      ...[3, 6].flatMap((later) =>
        together(
          WORKER_POOLS,
          later,
          ({ from, spec }, change) =>
            from === 6 &&
            later === 6 &&
            change === 'image' &&
            (spec['update'] as JsonObject)['maxSurge'] === 1 &&
            (spec['update'] as JsonObject)['maxUnavailable'] === 0,
        ),
      ),
    ],
  },
  { name: 'control plane, scale with a change', cases: together(CONTROL_PLANES, 0, hasGolden) },
  {
    name: 'control plane, scale while a change rolls out',
    cases: [3, 6, 10].flatMap((later) => together(CONTROL_PLANES, later, () => false)),
  },
  {
    name: 'control plane, scale',
    cases: CONTROL_PLANES.flatMap(({ from, to, spec }): readonly Case[] => [
      { name: `control plane, ${from} to ${to}`, spec, edits: [{ at: 1, spec: { replicas: to } }], golden: from === 3 },
      {
        name: `control plane, ${from} to ${to} and back`,
        spec,
        edits: [
          { at: 1, spec: { replicas: to } },
          { at: 5, spec: { replicas: from } },
        ],
      },
    ]),
  },
];
