/** Machines of the pool besides those that stay: being deleted, or existing but not observed. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { NodePoolStatus } from '#lib/api/kinds/node-pool.ts';
import { controllerUid } from '#lib/api/owner.ts';
import { CROSSPLANE, GROUP } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { serialOf } from './machines.ts';

export interface Others {
  /** Machines that are being deleted: they still count, and keep their names and serial numbers. */
  readonly leaving: readonly KubeObject[];
  /**
   * By composition resource name: machines of the pool that are listed but missing from this observation. Crossplane
   * forgets resources that are neither observed nor desired, so they are desired again.
   */
  readonly unobserved: ReadonlyMap<string, KubeObject>;
  /** Names of deleted machines that are still listed. */
  readonly released: readonly string[];
  /** Names that no new machine may get: Machines with the label of the pool have them, whoever made these. */
  readonly taken: ReadonlySet<string>;
}

/**
 * The list comes from a cache that may be older than the observation: a deleted machine counts as leaving while it is
 * listed, whether or not the list shows its deletion.
 * @param labelled Machines with the label of the pool: anybody may write a label, so only those count that the pool
 *   controls
 */
export function othersOf(labelled: readonly KubeObject[], { observed }: Request, previous: NodePoolStatus): Others {
  const pool = observed.composite.metadata?.uid;
  const seen = [...observed.resources.values()].map(({ resource }) => resource).filter(isMachine);
  const names = new Set(seen.map(nameOf));
  const letGo = new Set(previous.released);
  const listed = labelled.filter((machine) => names.has(nameOf(machine)) || isControlledBy(machine, pool));
  const apart = listed.filter((machine) => !names.has(nameOf(machine)));
  const unseen = apart.filter((machine) => !isGoing(machine));
  const listedGoing = new Set(listed.filter(isGoing).map(nameOf));
  return {
    leaving: [
      ...seen.filter(isGoing),
      ...apart.filter(isGoing),
      ...unseen.filter((machine) => letGo.has(nameOf(machine))),
    ],
    unobserved: new Map(unseen.filter((machine) => !letGo.has(nameOf(machine))).map((one) => [keyOf(one), one])),
    taken: new Set([...labelled, ...seen.filter(isGoing)].map(nameOf)),
    released: listed.map(nameOf).filter((name) => letGo.has(name) && (!names.has(name) || listedGoing.has(name))),
  };
}

/**
 * Whether no machine is hidden from this observation, if the pool was read as Crossplane wrote it last: each one that is
 * composed is observed, none is being deleted, and there are as many as the call before counted, which includes those
 * that are being deleted, whatever composes them. A machine that was removed or created since is named in the status or
 * in a reference.
 */
export function isComplete({ observed }: Request, { replicas, released, nextSerial }: NodePoolStatus): boolean {
  const machines = [...observed.resources.values()].map(({ resource }) => resource).filter(isMachine);
  const names = new Set(machines.map(nameOf));
  const references: unknown = at(observed.composite.spec, 'crossplane', 'resourceRefs');
  return (
    machines.length > 0 &&
    machines.length === replicas &&
    released.length === 0 &&
    Array.isArray(references) &&
    references.every((one) => at(one, 'kind') !== 'Machine' || names.has(stringAt(one, 'name') ?? '')) &&
    machines.every((machine) => !isGoing(machine) && serialOf(machine) < nextSerial)
  );
}

function isMachine({ kind, apiVersion }: KubeObject): boolean {
  return kind === 'Machine' && apiVersion.startsWith(`${GROUP}/`);
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function isControlledBy(object: KubeObject, uid: string | undefined): boolean {
  return uid !== undefined && controllerUid(object) === uid;
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

function keyOf(machine: KubeObject): string {
  return machine.metadata?.annotations?.[CROSSPLANE.compositionResourceName] ?? nameOf(machine);
}

/**
 * Counted from what is observed, not from what is desired: a repeated call, before its machines are observed, gives the
 * same names.
 */
export function nextSerial(
  machines: readonly { readonly serial: number }[],
  leaving: readonly KubeObject[],
  previous: NodePoolStatus,
): number {
  const seen = [...machines.map(({ serial }) => serial), ...leaving.map(serialOf)];
  return seen.reduce((next, serial) => Math.max(next, serial + 1), previous.nextSerial);
}
