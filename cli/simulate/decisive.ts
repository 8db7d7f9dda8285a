/** Why something is not ready, in one line: the cause, not what waits for it. */
import type { Condition } from '#lib/api/conditions.ts';
import {
  type ComposedFacts,
  type CompositeFacts,
  type EventFacts,
  FIRST_BOOT,
  type Snapshot,
} from '#simulator/engine.ts';
import { UNREACHABLE } from '#lib/cloud/api-clients.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import type { Place } from '../files/place.ts';
import { CLUSTER_REF, perhapsMeant } from '../plan/cluster-ref.ts';
import { legible } from '../terminal/legible.ts';
import { isMissing } from './missing.ts';

/** Why something is not ready, as data; with the place of what its author has to mend. */
export interface Reason extends Partial<Place> {
  /** The object that stands in the way. */
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** One word: of its condition or event, or NotReady for a resource of a cloud. */
  readonly reason: string;
  readonly message: string;
  /** Path of what its author has to mend, if the message does not name it. */
  readonly field?: string;
}

type Ref = { readonly namespace?: string | undefined } & Pick<Reason, 'kind' | 'name'>;

interface Problem extends Reason {
  /** The lower, the more it decides: a refusal before an error, an error before what takes its time. */
  readonly rank: number;
  /** Whether the message names it itself. */
  readonly isNamed?: boolean;
}

/** More causes than this are counted. */
const MOST = 3;

/** What is known of objects: the warnings of a live cluster are not read. */
type Known = Pick<Snapshot, 'composites'> & Partial<Pick<Snapshot, 'warnings'>>;

/** A line, and the objects that it is said of. */
export interface Cause {
  readonly line: string;
  readonly reasons: readonly Reason[];
}

/** One line for each cause, at most three; empty if everything is ready. */
export function causesOf(known: Known): readonly Cause[] {
  const causes = [...Map.groupBy(decisive(known), ({ message }) => message)];
  const shown = causes.slice(0, MOST).map(([message, same]) => {
    const who = firstNames(
      same.map(({ kind, name }) => `${kind} ${name}`),
      2,
    );
    const isNamed = same.length === 1 && same[0]?.isNamed === true;
    return { line: legible(isNamed ? message : `${who}: ${message}`), reasons: same.map(reasonOf) };
  });
  const more = causes.length - shown.length;
  return [...shown, ...(more > 0 ? [{ line: `and ${more} more`, reasons: [] }] : [])];
}

/** Their lines. */
export function decisiveReasons(known: Known): readonly string[] {
  return causesOf(known).map(({ line }) => line);
}

/** The same for programs: every object, each with its own line. */
export function reasonsOf(known: Known): readonly Reason[] {
  return decisive(known).map(reasonOf);
}

function reasonOf({ rank: _rank, isNamed: _isNamed, ...reason }: Problem): Reason {
  return reason;
}

/** The problems that decide most, parents before their children. */
function decisive({ composites, warnings = [] }: Known): readonly Problem[] {
  const unready = composites.filter((xr) => !xr.ready || !xr.synced || xr.deleting);
  // Parents come before their children; the cause is with the child.
  const problems = unready.toReversed().map((xr) => problemOf(xr, composites, warnings));
  const best = Math.min(...problems.map(({ rank }) => rank));
  return problems.filter(({ rank }) => rank === best).toReversed();
}

function placeOf({ kind, namespace, name }: Ref): Pick<Reason, 'kind' | 'namespace' | 'name'> {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** A note stands beside what a Cluster waits for, and nothing waits for it. */
const NOTED = `; ${UNREACHABLE}`;

/** What the functions say of a resource is plainer than what its provider reports. */
function waitsFor({ kind, namespace, name, why = '' }: ComposedFacts, messages: readonly string[]): Problem {
  const lead = `waiting for ${kind} ${name}: `;
  const said = messages.find((text) => text.startsWith(lead));
  return {
    rank: 3,
    ...placeOf({ kind, namespace, name }),
    reason: 'NotReady',
    message: said?.slice(lead.length) ?? why,
  };
}

/** Why its machine never became a node, whatever else it waits for. */
function firstBoot({ composed }: CompositeFacts, warnings: Snapshot['warnings']): EventFacts | undefined {
  const reasons: readonly string[] = Object.values(FIRST_BOOT);
  return warnings.find(
    ({ reason, ref }) =>
      reasons.includes(reason) && composed.some(({ kind, name }) => kind === ref.kind && name === ref.name),
  );
}

/** Of a pool whose Cluster is not there: where it names it, and the name or the namespace that was perhaps meant. */
function meantBy(
  { namespace, cluster }: CompositeFacts,
  { message = '' }: Condition,
  all: Known['composites'],
): Pick<Problem, 'message' | 'field'> {
  if (cluster === undefined) return { message };
  const ref = { ...(namespace === undefined ? {} : { namespace }), name: cluster };
  const clusters = all.filter(({ kind }) => kind === 'Cluster');
  const isThere = clusters.some((one) => one.name === cluster && one.namespace === namespace);
  const its = describeObject({ kind: 'Cluster', metadata: ref });
  if (isThere || !message.includes(`${its}: not accepted yet, or not found`)) return { message };
  return { message: `${message}${perhapsMeant(ref, clusters)}`, field: CLUSTER_REF };
}

function problemOf(xr: CompositeFacts, all: readonly CompositeFacts[], warnings: Snapshot['warnings']): Problem {
  const { kind, name } = xr;
  const failing = (type: string) =>
    xr.conditions.find((one) => one.type === type && one.status === 'False' && one.message !== undefined);
  const isNamed = (message: string): boolean => message.includes(describeObject({ kind, metadata: xr }));
  const decides = (
    rank: number,
    { reason, message = '', field }: Pick<Condition, 'reason' | 'message'> & Pick<Problem, 'field'>,
  ): Problem => ({
    ...placeOf(xr),
    ...(field === undefined ? {} : { field }),
    rank,
    reason,
    message,
    isNamed: rank < 2 && isNamed(message),
  });
  const refusal = failing('ClaimAccepted');
  if (refusal !== undefined) return decides(0, refusal);
  const error = failing('Synced');
  if (error !== undefined) return decides(1, error);
  const untrue = xr.conditions.flatMap(({ status, message, ...one }) =>
    status === 'True' || message === undefined ? [] : { ...one, status, message: message.replace(NOTED, '') },
  );
  const missing = untrue.find(({ message }) => isMissing(message));
  if (missing !== undefined) return decides(2, { ...missing, ...meantBy(xr, missing, all) });
  const boot = firstBoot(xr, warnings);
  if (boot !== undefined) return decides(2, { reason: boot.reason, message: `never became a node: ${boot.message}` });
  const resource = xr.composed.find(
    (part) =>
      !part.ready && part.why !== undefined && !all.some((one) => one.kind === part.kind && one.name === part.name),
  );
  const messages = untrue.map(({ message }) => message);
  if (resource !== undefined) return waitsFor(resource, messages);
  const first = untrue.find(({ message }) => message !== '');
  const children = all.some(
    ({ parent, ready, synced }) => parent?.name === name && parent.kind === kind && !(ready && synced),
  );
  const waits = first === undefined || first.message.startsWith('waiting for') || children;
  const going = xr.deleting
    ? { reason: 'Deleting', message: 'it is being deleted' }
    : { reason: 'Creating', message: 'it is being created' };
  return decides(waits ? 5 : 4, first ?? going);
}
