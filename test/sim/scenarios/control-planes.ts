/** Control planes of 1, 3, 5 and 7, as functions/cluster composes their pools. */
import {
  type Case,
  controlPlane,
  type Edit,
  IMAGE,
  replaced,
  resized,
  type Scenario,
  SYSCTL,
  TAINTED,
} from './scenario.ts';

const SIZES = [1, 3, 5, 7] as const;

/** The golden file for three members keeps its old name. */
function sizes(name: string, edits: readonly Edit[], more: Partial<Case> = {}): readonly Case[] {
  return SIZES.map((size) => ({
    name: size === 3 ? `control plane, ${name}` : `control plane of ${size}, ${name}`,
    spec: controlPlane(size),
    edits,
    golden: size === 3 || size === 1,
    ...more,
  }));
}

const bigger = { machine: { ...IMAGE, class: 'standard-8' } };

export const CONTROL_PLANES: readonly Scenario[] = [
  { name: 'control plane, replace', cases: sizes('replace', [{ at: 1, spec: replaced }], { ends: replaced }) },
  { name: 'control plane, class', cases: sizes('class', [{ at: 1, spec: resized }], { ends: resized }) },
  {
    name: 'control plane, version',
    cases: [
      ...sizes('version', [{ at: 1, version: 'v1.35.5' }], { ends: { version: 'v1.35.5' } }),
      ...sizes('minor version', [{ at: 1, version: 'v1.36.0' }], { ends: { version: 'v1.36.0' }, golden: false }),
      ...sizes('downgrade', [{ at: 1, version: 'v1.34.4', runs: 'v1.35.4' }], {
        ends: { version: 'v1.35.4' },
        inPlace: true,
      }),
    ],
  },
  {
    name: 'control plane, in place',
    cases: [
      ...sizes('labels', [{ at: 1, spec: { labels: { team: 'a' } } }], { inPlace: true, golden: false }),
      ...sizes('kernel setting', [{ at: 1, spec: SYSCTL }], { inPlace: true, golden: false }),
      ...sizes('taint', [{ at: 1, spec: TAINTED }], { golden: false }),
      ...sizes(
        'held',
        [
          { at: 1, spec: { update: { maxSurge: 1, maxUnavailable: 0, fallback: 'Hold' } } },
          { at: 2, spec: replaced },
        ],
        { inPlace: true, stays: true, golden: false },
      ),
    ],
  },
  {
    name: 'control plane, one change in the middle of another',
    cases: [
      ...[3, 7].flatMap((at) => [
        ...sizes(
          'replaced and taken back',
          [
            { at: 1, spec: replaced },
            { at, spec: { machine: { class: 'standard-4' } } },
          ],
          { golden: false },
        ),
        ...sizes(
          'replaced, then resized',
          [
            { at: 1, spec: replaced },
            { at, spec: bigger },
          ],
          { golden: false },
        ),
        ...sizes(
          'resized, then replaced',
          [
            { at: 1, spec: resized },
            { at, spec: bigger },
          ],
          { golden: false },
        ),
        ...sizes(
          'resized and upgraded',
          [
            { at: 1, spec: resized },
            { at, version: 'v1.36.0' },
          ],
          { golden: false },
        ),
      ]),
      ...sizes('class and version in one', [{ at: 1, spec: resized, version: 'v1.36.0' }], { golden: false }),
      ...sizes(
        'three edits',
        [
          { at: 1, spec: replaced },
          { at: 4, spec: resized },
          { at: 6, spec: replaced },
        ],
        { golden: false },
      ),
    ],
  },
  {
    name: 'control plane, paused',
    cases: [replaced, resized].flatMap((change) =>
      sizes(
        'paused',
        [
          { at: 1, spec: change },
          { at: 5, spec: { paused: true } },
          { at: 14, spec: { paused: false } },
        ],
        { golden: false },
      ),
    ),
  },
];
