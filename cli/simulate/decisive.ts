/** Why something is not ready, in one line: the cause, not what waits for it. */
import { type CompositeFacts, FIRST_BOOT, type Snapshot } from '#simulator/engine.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { legible } from '../terminal/legible.ts';
import { isMissing } from './missing.ts';

interface Problem {
  /** The lower, the more it decides: a refusal before an error, an error before what takes its time. */
  readonly rank: number;
  readonly who: string;
  /** Whether the message names it itself. */
  readonly isNamed?: boolean;
  readonly message: string;
}

/** More causes than this are counted. */
const MOST = 3;

/** What is known of objects: the warnings of a live cluster are not read. */
type Known = Pick<Snapshot, 'composites'> & Partial<Pick<Snapshot, 'warnings'>>;

/** One line for each cause, at most three; empty if everything is ready. */
export function decisiveReasons({ composites, warnings = [] }: Known): readonly string[] {
  const unready = composites.filter((xr) => !xr.ready || !xr.synced || xr.deleting);
  // Parents come before their children; the cause is with the child.
  const problems = unready.toReversed().map((xr) => problemOf(xr, composites, warnings));
  const best = Math.min(...problems.map(({ rank }) => rank));
  const causes = [...Map.groupBy(problems.filter(({ rank }) => rank === best).toReversed(), ({ message }) => message)];
  const lines = causes.slice(0, MOST).map(([message, same]) => {
    const who = firstNames(
      same.map((one) => one.who),
      2,
    );
    return same.length === 1 && same[0]?.isNamed === true ? message : `${who}: ${message}`;
  });
  const more = causes.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].map(legible);
}

/** What the functions say of a resource is plainer than what its provider reports. */
function waitsFor(who: string, reported: string, messages: readonly string[]): Problem {
  const lead = `waiting for ${who}: `;
  const said = messages.find((text) => text.startsWith(lead));
  return { rank: 3, who, message: said?.slice(lead.length) ?? reported };
}

/** Why its machine never became a node, whatever else it waits for. */
function firstBoot({ composed }: CompositeFacts, warnings: Snapshot['warnings']): string | undefined {
  const reasons: readonly string[] = Object.values(FIRST_BOOT);
  return warnings.find(
    ({ reason, ref }) =>
      reasons.includes(reason) && composed.some(({ kind, name }) => kind === ref.kind && name === ref.name),
  )?.message;
}

function problemOf(xr: CompositeFacts, all: readonly CompositeFacts[], warnings: Snapshot['warnings']): Problem {
  const who = `${xr.kind} ${xr.name}`;
  const failing = (type: string) => xr.conditions.find((one) => one.type === type && one.status === 'False')?.message;
  const refusal = failing('ClaimAccepted');
  const isNamed = (message: string): boolean => message.includes(describeObject({ kind: xr.kind, metadata: xr }));
  if (refusal !== undefined) return { rank: 0, who, message: refusal, isNamed: isNamed(refusal) };
  const error = failing('Synced');
  if (error !== undefined) return { rank: 1, who, message: error, isNamed: isNamed(error) };
  const messages = xr.conditions.flatMap(({ status, message }) => (status === 'True' ? [] : (message ?? [])));
  const missing = messages.find(isMissing);
  if (missing !== undefined) return { rank: 2, who, message: missing };
  const boot = firstBoot(xr, warnings);
  if (boot !== undefined) return { rank: 2, who, message: `never became a node: ${boot}` };
  const resource = xr.composed.find(
    ({ ready, kind, name, why }) =>
      !ready && why !== undefined && !all.some((one) => one.kind === kind && one.name === name),
  );
  if (resource !== undefined) return waitsFor(`${resource.kind} ${resource.name}`, resource.why ?? '', messages);
  const first = messages.find((message) => message !== '');
  const children = all.some(
    ({ parent, ready, synced }) => parent?.name === xr.name && parent.kind === xr.kind && !(ready && synced),
  );
  const waits = first === undefined || first.startsWith('waiting for') || children;
  return { rank: waits ? 5 : 4, who, message: first ?? (xr.deleting ? 'it is being deleted' : 'it is being created') };
}
