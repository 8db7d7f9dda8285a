/**
 * What is deleted, how, when, and what is unavailable meanwhile: all cases, and a few that cover every value of each
 * axis.
 */
import { PROPAGATIONS, type Propagation } from '#simulator/engine.ts';

export const OBJECTS = [
  'Cluster',
  'NodePool',
  'Machine',
  'control-plane Machine',
  'only control-plane Machine',
  'control-plane NodePool',
  'all at once',
  'Namespace',
] as const;
export const MOMENTS = ['half made', 'Ready', 'rolling out'] as const;
export const DOWN = ['nothing', 'functions', 'node provider', 'cloud provider'] as const;

export interface Case {
  readonly object: (typeof OBJECTS)[number];
  readonly propagation: Propagation;
  readonly moment: (typeof MOMENTS)[number];
  readonly down: (typeof DOWN)[number];
}

/** The namespace controller only deletes in the background. */
export const CASES: readonly Case[] = OBJECTS.flatMap((object) =>
  PROPAGATIONS.filter((one) => object !== 'Namespace' || one === 'Background').flatMap((propagation) =>
    MOMENTS.flatMap((moment) => DOWN.map((down) => ({ object, propagation, moment, down }))),
  ),
);

/** Each object at least once, with every propagation policy, moment and outage in some case. */
export const FEW: readonly Case[] = [
  { object: 'Cluster', propagation: 'Background', moment: 'Ready', down: 'nothing' },
  { object: 'Cluster', propagation: 'Foreground', moment: 'rolling out', down: 'nothing' },
  { object: 'Cluster', propagation: 'Orphan', moment: 'Ready', down: 'nothing' },
  { object: 'NodePool', propagation: 'Foreground', moment: 'Ready', down: 'node provider' },
  { object: 'Machine', propagation: 'Background', moment: 'rolling out', down: 'functions' },
  { object: 'Machine', propagation: 'Orphan', moment: 'Ready', down: 'nothing' },
  { object: 'only control-plane Machine', propagation: 'Background', moment: 'Ready', down: 'nothing' },
  { object: 'control-plane NodePool', propagation: 'Foreground', moment: 'Ready', down: 'nothing' },
  { object: 'all at once', propagation: 'Background', moment: 'half made', down: 'cloud provider' },
  { object: 'Namespace', propagation: 'Background', moment: 'Ready', down: 'nothing' },
];

export function nameOf({ object, propagation, moment, down }: Case): string {
  return `${object}, ${propagation}, ${moment}, down: ${down}`;
}
