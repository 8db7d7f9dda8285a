/** Condition, status and events of a Cluster about its add-ons. */
import { conditionOf } from '#lib/api/conditions.ts';
import { oneLine } from '#lib/api/errors.ts';
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { asMessage } from '#lib/api/shortened.ts';
import { CONDITION } from '#lib/api/words.ts';
import { FACTS } from '#lib/fn/cluster-facts.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { reachedVersion, type Situation } from './situation.ts';
import type { Wanted } from './wanted.ts';

/** What became of one add-on in this call. */
export interface Outcome {
  readonly name: string;
  readonly isDefault: boolean;
  readonly reason: 'NotApplied' | 'NotReady' | 'WaitingForControlPlane';
  /** Undefined: it is ready. */
  readonly why: string | undefined;
}

export interface Findings extends Wanted {
  readonly outcomes: readonly Outcome[];
  /** Names of add-ons that are being taken out. */
  readonly leaving: readonly string[];
}

/** Bytes. Errors of Helm are long, and say last what went wrong. */
const LONGEST = 400;

export function report(reply: Reply, situation: Situation, findings: Findings): void {
  const { outcomes, leaving, notes, behind } = findings;
  reportStatus(reply, situation, findings);
  if (isNewVersion(situation)) for (const note of behind) reply.event('Warning', 'InfrastructureNote', note);
  const type = CONDITION.addOnsReady;
  const before = conditionOf(situation.composite, type);
  const pending = outcomes.filter(({ why }) => why !== undefined);
  const [first] = pending.toSorted((a, b) => RANK[a.reason] - RANK[b.reason]);
  if (first === undefined) {
    if (outcomes.length === 0 && leaving.length === 0 && notes.length === 0 && before === undefined) return;
    const going = leaving.length === 0 ? [] : [`taken out: ${leaving.join(', ')}`];
    const message = [...going, ...notes].join('; ');
    reply.condition(type, true, 'Ready', message === '' ? undefined : message);
    if (before?.status === 'False') reply.event('Normal', 'AddonsReady', 'every add-on is ready');
    return;
  }
  reply.notReady();
  const others = pending.length - 1;
  const more = others === 0 ? '' : `; and ${others} more`;
  const message = `${first.name}: ${asMessage(oneLine(first.why ?? ''), LONGEST)}${more}`;
  reply.condition(type, false, first.reason, message);
  if (first.reason === 'NotApplied' && before?.message !== message) reply.event('Warning', 'AddonNotApplied', message);
}

/** Once for each edit of the version: the facts have it from the next call on. */
function isNewVersion({ cluster, observed }: Situation): boolean {
  return stringAt(observed.get(FACTS)?.spec, 'accepted', 'version') !== cluster.spec.version;
}

/** What somebody has to mend comes first, then what is under way. */
const RANK: Readonly<Record<Outcome['reason'], number>> = { NotApplied: 0, NotReady: 1, WaitingForControlPlane: 2 };

/** The version is that of the control plane once all that was chosen for it is ready; a pool of workers waits for it. */
function reportStatus(reply: Reply, situation: Situation, { defaults, outcomes }: Findings): void {
  const chosen = outcomes.filter(({ isDefault }) => isDefault);
  const reached = reachedVersion(situation);
  const isReached = chosen.length > 0 && chosen.every(({ why }) => why === undefined) && reached !== undefined;
  const version = isReached ? reached : chosen.length === 0 ? undefined : situation.previous.version;
  const status: JsonObject = {
    ...(defaults === undefined ? {} : { defaults }),
    ...(version === undefined ? {} : { version }),
  };
  if (Object.keys(status).length > 0) reply.status({ addons: status });
}
