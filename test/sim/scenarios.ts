/** Named roll-outs: a pool, what is done to it and when, and what it must come to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';

export interface Edit {
  /** Step after the pool was complete. */
  readonly at: number;
  readonly spec?: JsonObject;
  /** The Cluster's new version. */
  readonly version?: string;
}

export interface Scenario {
  readonly name: string;
  readonly spec: JsonObject;
  readonly edits: readonly Edit[];
  /** Fields of every machine at the end; of those that exist, when nothing was to be done to them. */
  readonly ends: JsonObject;
  /** Machines the pool was complete with are all still there at the end, if nothing went wrong. */
  readonly inPlace?: boolean;
}

/** The rules that AWS pools ship with. */
export const RULES = parse(
  readFileSync(join(import.meta.dirname, '../../functions/in-place-update/flavors/aws.yaml'), 'utf8'),
) as JsonObject;

const IMAGE = { class: 'standard-4', image: 'ubuntu-26.04' };
const BIGGER = { class: 'standard-8' };
const replaced = { machine: IMAGE };
const resized = { machine: BIGGER };

/** Each budget, for a change that replaces machines and for one that updates them. */
function both(name: string, spec: JsonObject): readonly Scenario[] {
  return [
    { name: `${name}, replace`, spec, edits: [{ at: 1, spec: replaced }], ends: replaced },
    { name: `${name}, in place`, spec, edits: [{ at: 1, spec: resized }], ends: resized },
  ];
}

const budget = (maxSurge: number | string, maxUnavailable: number | string): JsonObject => ({
  update: { maxSurge, maxUnavailable },
});

export const SCENARIOS: readonly Scenario[] = [
  ...both('surge only', { replicas: 3, ...budget(1, 0) }),
  ...both('unavailable only', { replicas: 3, ...budget(0, 1) }),
  ...both('surge and unavailable', { replicas: 4, ...budget(2, 1) }),
  ...both('over-large values', { replicas: 3, ...budget(10, 10) }),
  ...both('percentages', { replicas: 5, ...budget('25%', '20%') }),
  ...scaled('scale in while it rolls out', 2),
  ...scaled('scale out while it rolls out', 5),
  {
    name: 'another change while it rolls out, replace',
    spec: { replicas: 3, ...budget(1, 1) },
    edits: [
      { at: 1, spec: replaced },
      { at: 4, spec: { machine: { class: 'standard-4', image: 'ubuntu-26.10' } } },
    ],
    ends: { machine: { class: 'standard-4', image: 'ubuntu-26.10' } },
  },
  {
    name: 'another change while it rolls out, in place',
    spec: { replicas: 3, ...budget(1, 1) },
    edits: [
      { at: 1, spec: resized },
      { at: 4, spec: { machine: { class: 'standard-16' } } },
    ],
    ends: { machine: { class: 'standard-16' } },
  },
  {
    name: 'taken back while it rolls out, replace',
    spec: { replicas: 3, ...budget(1, 0) },
    edits: [
      { at: 1, spec: replaced },
      { at: 5, spec: { machine: { class: 'standard-4' } } },
    ],
    ends: { machine: { class: 'standard-4' } },
  },
  {
    name: 'a patch',
    spec: { replicas: 3, ...budget(1, 0) },
    edits: [{ at: 1, spec: { labels: { team: 'a' } } }],
    ends: { labels: { team: 'a' } },
    inPlace: true,
  },
  {
    name: 'an evicting taint',
    spec: { replicas: 3, ...budget(0, 1) },
    edits: [{ at: 1, spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } }],
    ends: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] },
    inPlace: true,
  },
  {
    name: 'a patch version',
    spec: { replicas: 3, ...budget(0, 1) },
    edits: [{ at: 1, version: 'v1.35.5' }],
    ends: { version: 'v1.35.5' },
    inPlace: true,
  },
  ...both('on delete', { replicas: 3, update: { strategy: 'OnDelete' } }).map((scenario) => ({
    ...scenario,
    // What is lost meanwhile is made anew, as the pool is now.
    ends: {},
    inPlace: true,
  })),
  {
    name: 'held',
    spec: { replicas: 3, update: { fallback: 'Hold' } },
    edits: [{ at: 1, spec: replaced }],
    ends: { machine: { class: 'standard-4' } },
    inPlace: true,
  },
  {
    name: 'control plane, replace',
    spec: { replicas: 3, role: 'control-plane', ...budget(1, 0) },
    edits: [{ at: 1, spec: replaced }],
    ends: replaced,
  },
  {
    name: 'control plane, version',
    spec: { replicas: 3, role: 'control-plane', ...budget(1, 0) },
    edits: [{ at: 1, version: 'v1.35.5' }],
    ends: { version: 'v1.35.5' },
  },
];

function scaled(name: string, replicas: number): readonly Scenario[] {
  const spec = { replicas: 3, ...budget(1, 0) };
  return [
    {
      name: `${name}, replace`,
      spec,
      edits: [
        { at: 1, spec: replaced },
        { at: 4, spec: { replicas } },
      ],
      ends: replaced,
    },
    {
      name: `${name}, in place`,
      spec,
      edits: [
        { at: 1, spec: resized },
        { at: 4, spec: { replicas } },
      ],
      ends: resized,
    },
  ];
}
