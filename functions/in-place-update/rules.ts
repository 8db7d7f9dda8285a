/** Which decision a changed field meets: the first rule's, then a claim's, then the input's `otherwise`. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { API_VERSION, LABEL } from '#lib/api/words.ts';
import type { Claims } from './claims.ts';
import { type Change, comparableObject, leavesOf, type Path, valueAt } from './diff.ts';
import { covers, named } from './field-path.ts';
import type { Decision } from './input.ts';
import type { Fault, ReadRule, Rulebook } from './rulebook.ts';

/** Who brings a field about in place. */
export interface Assignment {
  readonly name: string;
  /** Claimant: whoever claimed it. */
  readonly runsOn: 'Machine' | 'Node' | 'Claimant';
  readonly disruptive: boolean;
  readonly timeout: string;
}

/** Hold: the field stays as it is until something else is mended. */
export type FieldDecision = Decision | 'Hold';

export interface Verdict {
  readonly decision: FieldDecision;
  /** Index of the rule that decided or that is to blame; undefined: a claim or `otherwise`. */
  readonly rule: number | undefined;
  readonly updaters: readonly Assignment[];
  readonly reason: string;
  /** What must be mended before it goes on. */
  readonly blockedBy: string | undefined;
  /** A rule that failed on these very values. */
  readonly fault: Fault | undefined;
}

export type Decided = Change & Verdict;

/** What decisions about one object are made from. */
export interface Case {
  readonly book: Rulebook;
  readonly claims: Claims;
  readonly fallback: 'Recreate' | 'Hold';
  readonly observed: KubeObject;
  readonly desired: KubeObject;
  readonly composite: KubeObject;
}

const STRENGTH: Readonly<Record<FieldDecision, number>> = { Ignore: 0, Patch: 1, Update: 2, Hold: 3, Recreate: 4 };

/** The strongest decision; undefined when nothing changed. */
export function strongest(decided: readonly { readonly decision: FieldDecision }[]): FieldDecision | undefined {
  return decided.reduce<FieldDecision | undefined>(
    (best, { decision }) => (best === undefined || STRENGTH[decision] > STRENGTH[best] ? decision : best),
    undefined,
  );
}

/** A list or object that changed as a whole gets the strongest decision about what changed in it. */
export function decideAll(changes: readonly Change[], about: Case): readonly Decided[] {
  if (changes.length === 0) return [];
  const sides = { old: comparableObject(about.observed), new: comparableObject(about.desired) };
  return changes.map((change) => {
    const leaves = leavesOf(change).map(({ path }) => decideField(path, about, sides));
    const decision = strongest(leaves);
    const verdict = leaves.find((leaf) => leaf.decision === decision) ?? decideField(change.path, about, sides);
    const updaters = new Map(leaves.flatMap((leaf) => leaf.updaters).map((one) => [one.name, one]));
    const fault = leaves.find((leaf) => leaf.fault !== undefined)?.fault;
    return { ...change, ...verdict, fault, updaters: verdict.decision === 'Update' ? [...updaters.values()] : [] };
  });
}

interface Sides {
  readonly old: JsonObject;
  readonly new: JsonObject;
}

function decideField(path: Path, about: Case, sides: Sides): Verdict {
  // An object keeps the number it was made with.
  if (path[2] === LABEL.serial && path[0] === 'metadata') return verdict('Ignore', 'it counts what was made before');
  const { book, composite, observed } = about;
  for (const rule of book.rules) {
    if (!covers(rule.steps, path)) continue;
    if (rule.broken) return held(rule.index, `rules[${rule.index}] cannot decide`);
    const at = named(rule.steps, path);
    const seen = { old: valueAt(sides.old, at), new: valueAt(sides.new, at), resource: observed, composite };
    const outcome = rule.condition?.judge(seen) ?? { holds: true };
    if ('error' in outcome) return failed(rule.index, outcome.error);
    if (outcome.holds) return unlessSuspect(byRule(rule, path, about), rule.index, path, about);
  }
  return unlessSuspect(withoutRule(path, about), Infinity, path, about);
}

function byRule(rule: ReadRule, path: Path, about: Case): Verdict {
  const { index, decision, updater } = rule;
  const says = `rules[${index}] says ${decision}`;
  if (decision === 'Recreate') return recreate(says, index, about);
  if (decision !== 'Update') return verdict(decision, says, index);
  if (updater === undefined) return claimed(path, about, `${says} and names no updater`, index);
  if (!takesUpdates(about.observed))
    return uncovered(`a ${about.observed.kind} takes no update in place`, index, about);
  const { name, runsOn, disruptive, timeout } = updater;
  return { ...verdict('Update', `${says} by ${name}`, index), updaters: [{ name, runsOn, disruptive, timeout }] };
}

function withoutRule(path: Path, about: Case): Verdict {
  const { otherwise } = about.book;
  if (about.claims.about(about.observed.metadata?.name ?? '', path)?.answer === 'Claimed')
    return claimed(path, about, 'no rule meets it', undefined);
  // Labels and annotations of the object itself say nothing about what it is made of.
  if (path[0] === 'metadata') return verdict('Patch', 'no rule meets it; labels and annotations are patched');
  if (otherwise === 'Recreate') return recreate('no rule meets it; otherwise Recreate', undefined, about);
  if (otherwise === 'Update') return claimed(path, about, 'no rule meets it; otherwise Update', undefined);
  return verdict(otherwise, `no rule meets it; otherwise ${otherwise}`);
}

/** Only who claimed it can bring it about. */
function claimed(path: Path, about: Case, why: string, index: number | undefined): Verdict {
  const claim = about.claims.about(about.observed.metadata?.name ?? '', path);
  if (claim === undefined) return uncovered(`${why}; nobody claims it`, index, about);
  const { updater: name, answer, reason, disruptive, timeout } = claim;
  const because = reason === undefined ? '' : `: ${reason}`;
  if (answer === 'Refused') return uncovered(`${name} refuses it${because}`, index, about);
  if (answer === 'Failed') return uncovered(`${name} could not answer for it${because}`, index, about);
  if (!takesUpdates(about.observed))
    return uncovered(`a ${about.observed.kind} takes no update in place`, index, about);
  const updaters = [{ name, runsOn: 'Claimant' as const, disruptive, timeout }];
  return { ...verdict('Update', `${why}; ${name} claims it${because}`, index), updaters };
}

/** Only a Machine is told to update and tells how it goes. */
function takesUpdates({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === API_VERSION && kind === 'Machine';
}

function uncovered(why: string, index: number | undefined, about: Case): Verdict {
  return recreate(`${why}; fallback ${about.fallback}`, index, about);
}

function recreate(why: string, index: number | undefined, { fallback }: Case): Verdict {
  if (fallback === 'Recreate') return verdict('Recreate', why, index);
  return { ...verdict('Hold', why, index), blockedBy: 'update.fallback is Hold' };
}

/** A rule that meets nothing might have been about this field: then nothing disruptive happens to it. */
function unlessSuspect(found: Verdict, index: number, path: Path, { book }: Case): Verdict {
  if (found.decision !== 'Recreate' && found.decision !== 'Update') return found;
  const suspect = book.suspicions.find(
    ({ index: own, steps, hiddenBy }) =>
      covers(steps, path) && (hiddenBy === undefined ? own < index : hiddenBy === index),
  );
  return suspect === undefined ? found : held(suspect.index, `rules[${suspect.index}] may have been meant for it`);
}

function held(index: number, reason: string): Verdict {
  return { ...verdict('Hold', reason, index), blockedBy: `rules[${index}]` };
}

function failed(index: number, error: string): Verdict {
  const fault = { at: `rules[${index}]`, message: `when: cannot be judged: ${error}` };
  return { ...held(index, `rules[${index}] cannot decide`), fault };
}

function verdict(decision: FieldDecision, reason: string, rule?: number): Verdict {
  return { decision, rule, updaters: [], reason, blockedBy: undefined, fault: undefined };
}
