/** What a Cluster or pool says about an edit: accepted, refused, or that its version waits for another one. */
import { gt } from 'semver';
import { conditionOf } from '#lib/api/conditions.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { CLUSTER, CONTROL_PLANE, POOL } from './life.ts';
import { type Part, partRef } from './scene.ts';

/** What was applied of a claim at one moment. */
export interface Edit {
  readonly key: string;
  readonly part: Part;
  /** Whether it was made at rest and alone: nothing may be written after it. */
  readonly isAlone: boolean;
  readonly at: number;
}

/** Whether its claim was not deleted since. */
export function isThere(engine: Engine, { part, at: second }: Edit): boolean {
  const { metadata } = engine.get(partRef(part)) ?? EMPTY;
  if (metadata === undefined || metadata.deletionTimestamp !== undefined) return false;
  return secondOf(engine, stringAt(metadata, 'creationTimestamp') ?? '') <= second;
}

export function isRefused(engine: Engine, part: Part): boolean {
  const refs = part === 'cluster' ? [CLUSTER, CONTROL_PLANE] : [POOL];
  return refs.some((ref) => conditionOf(engine.get(ref) ?? EMPTY, CONDITION.claimAccepted)?.status === 'False');
}

/** NaN: no date. */
export function secondOf(engine: Engine, stamp: string): number {
  return engine.seconds + (Date.parse(stamp) - engine.now.getTime()) / 1000;
}

const EMPTY: KubeObject = { apiVersion: '', kind: '' };

/** A version that no roll-out reaches is accepted as an edit and held: it waits for another edit, and says so. */
export function keepsVersion(engine: Engine, one: KubeObject): boolean {
  const accepted = conditionOf(one, CONDITION.versionAccepted);
  if (accepted?.status !== 'False') return false;
  if (/^(Minor|VersionSkewed)/.test(accepted.reason)) return true;
  const cluster = engine.get(CLUSTER);
  const version = stringAt(one, 'spec', 'version');
  // A pool that follows its Cluster waits with it.
  if (version === undefined) return one.kind === POOL.kind && cluster !== undefined && keepsVersion(engine, cluster);
  return gt(version, stringAt(cluster, 'spec', 'version') ?? '0.0.0');
}
