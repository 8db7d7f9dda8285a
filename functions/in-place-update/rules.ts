/** The decision about a changed field: that of the first matching rule, then of a claim, then `otherwise`. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { remembered } from '#lib/api/remembered.ts';
import { CONDITION } from '#lib/api/words.ts';
import { isEditedByHand } from './bookkeeping.ts';
import { z } from 'zod';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import type { Claims } from './claims.ts';
import type { Decided, FieldDecision, Verdict } from './decision.ts';
import { type Change, formatPath, type Path, valueAt } from './change.ts';
import { comparableObject, leavesOf } from './diff.ts';
import { covers, knownSteps, named } from './field-path.ts';
import { isMachine } from './machine.ts';
import type { ReadRule, Rulebook } from './rulebook.ts';

/** The input of decisions about one object. */
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
  const sides = {
    old: comparableObject(about.observed),
    new: comparableObject(about.desired),
    handEdit: undefined,
  };
  const decided = changes.map((change) => decideChange(change, about, sides));
  if (!isEditedByHand(about.observed, about.desired)) return decided;
  const handEdit = setBack(decided, about.desired);
  return changes.map((change) => decideChange(change, about, { ...sides, handEdit }));
}

function decideChange(change: Change, about: Case, sides: Sides): Decided {
  const leaves = leavesOf(change).map(({ path }) => decideField(path, about, sides));
  const decision = strongest(leaves);
  const verdict = leaves.find((leaf) => leaf.decision === decision) ?? decideField(change.path, about, sides);
  const updaters = new Map(leaves.flatMap((leaf) => leaf.updaters).map((one) => [one.name, one]));
  const fault = leaves.find((leaf) => leaf.fault !== undefined)?.fault;
  return { ...change, ...verdict, fault, updaters: verdict.decision === 'Update' ? [...updaters.values()] : [] };
}

/**
 * What happens to a direct edit: all of it is reverted, or nothing. A field that Slipway never applied belongs to the
 * manager that added it: leaving it out does not remove it. Reverting only the rest may give an invalid object, for
 * example with two sizes.
 */
function setBack(decided: readonly Decided[], desired: KubeObject): Verdict {
  const added = decided.find(
    ({ path, decision }) => path[0] === 'spec' && decision !== 'Ignore' && valueAt(desired, path) === undefined,
  );
  if (added === undefined)
    return verdict('Patch', 'it was edited on the Machine directly and is reverted; edit the claim instead');
  const reason = `${formatPath(added.path)} was added to the Machine directly and belongs to another field manager: remove it from the Machine, or delete the Machine to have it replaced`;
  return { ...verdict('Hold', reason), blockedBy: 'a direct edit of the Machine', hold: 'Edit' };
}

interface Sides {
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** The decision about fields edited on the Machine directly; undefined: the claim may have changed them. */
  readonly handEdit: Verdict | undefined;
}

/** Rules apply to changes of a claim. Direct edits of the Machine are reverted; only ignored fields keep them. */
function decideField(path: Path, about: Case, sides: Sides): Verdict {
  if (isFromNewerRelease(path, about))
    return verdict('Ignore', 'this release does not know the field; a release that knows it decides');
  const found = decideByRules(path, about, sides);
  return sides.handEdit === undefined || path[0] !== 'spec' || found.decision === 'Ignore' ? found : sides.handEdit;
}

/** A Machine keeps its value of a field that only another release of the previous step has. */
function isFromNewerRelease(path: Path, { observed }: Case): boolean {
  return path[0] === 'spec' && isMachine(observed) && isUnknown(JSON.stringify(path));
}

/** By path: the same fields of many machines differ. */
const isUnknown = remembered((text) => {
  const steps = (JSON.parse(text) as Path).map((step) => (typeof step === 'number' ? '*' : step));
  return knownSteps(MachineFields, steps) < steps.length;
}, 500);

const MachineFields = z.object({ spec: MachineSpec });

function decideByRules(path: Path, about: Case, sides: Sides): Verdict {
  const { book, composite, observed, desired } = about;
  for (const rule of book.rules) {
    if (!covers(rule.steps, path)) continue;
    if (rule.broken) return held(rule.index, `rules[${rule.index}] cannot be evaluated`);
    const at = named(rule.steps, path);
    const seen = { old: valueAt(sides.old, at), new: valueAt(sides.new, at), resource: observed, desired, composite };
    const outcome = rule.condition?.judge(seen) ?? { holds: true };
    if ('error' in outcome) return failed(rule.index, outcome.error);
    if (outcome.holds) return unlessSuspect(byRule(rule, path, about), rule.index, path, about);
  }
  return unlessSuspect(withoutRule(path, about, sides), Infinity, path, about);
}

function byRule(rule: ReadRule, path: Path, about: Case): Verdict {
  const { index, decision, updater } = rule;
  const says = `the rule for ${rule.path} says ${decision}`;
  if (decision === 'Recreate') return recreate(says, index, about);
  if (decision !== 'Update') return verdict(decision, says, index);
  if (updater === undefined) return claimed(path, about, `${says} and names no updater`, index);
  if (!isMachine(about.observed)) return uncovered(`${about.observed.kind} cannot be updated in place`, index, about);
  const { name, runsOn, disruptive, timeout } = updater;
  return {
    ...verdict('Update', `updater ${name} changes it in place, as the rule for ${rule.path} says`, index),
    updaters: [{ name, runsOn, disruptive, timeout }],
  };
}

const NO_RULE = 'no rule is about this field';

/** Why no cloud could. */
function shrinks(path: Path, sides: Sides): string {
  const [before, after] = [valueAt(sides.old, path), valueAt(sides.new, path)];
  const isSmaller = typeof before === 'number' && typeof after === 'number' && after < before;
  return isSmaller && path.at(-1) === 'sizeGiB' ? ': a disk cannot shrink' : '';
}

function withoutRule(path: Path, about: Case, sides: Sides): Verdict {
  const { otherwise } = about.book;
  if (about.claims.about(about.observed.metadata?.name ?? '', path)?.answer === 'Claimed')
    return claimed(path, about, NO_RULE, undefined);
  // Labels and annotations of the object itself do not affect the machine.
  if (path[0] === 'metadata') return verdict('Patch', `${NO_RULE}; labels and annotations are patched`);
  if (otherwise === 'Recreate')
    return recreate(`no rule allows a change in place${shrinks(path, sides)}`, undefined, about);
  if (otherwise === 'Update') return claimed(path, about, `${NO_RULE}; otherwise: Update`, undefined);
  return verdict(otherwise, `${NO_RULE}; otherwise: ${otherwise}`);
}

/** Only the function that claimed it can update it. */
function claimed(path: Path, about: Case, why: string, index: number | undefined): Verdict {
  const claim = about.claims.about(about.observed.metadata?.name ?? '', path);
  if (claim === undefined) return uncovered(`${why}; no function claims it`, index, about);
  const { updater: name, answer, reason, disruptive, timeout } = claim;
  const because = reason === undefined ? '' : `: ${reason}`;
  if (answer === 'Refused') return uncovered(`${name} refuses it${because}`, index, about);
  if (answer === 'Failed') return uncovered(`${name} could not answer for it${because}`, index, about);
  if (!isMachine(about.observed)) return uncovered(`${about.observed.kind} cannot be updated in place`, index, about);
  const updaters = [{ name, runsOn: 'Claimant' as const, disruptive, timeout }];
  return { ...verdict('Update', `${why}; ${name} claims it${because}`, index), updaters };
}

function uncovered(why: string, index: number | undefined, about: Case): Verdict {
  return recreate(`${why}; fallback: ${about.fallback}`, index, about);
}

function recreate(why: string, index: number | undefined, { fallback }: Case): Verdict {
  if (fallback === 'Recreate') return verdict('Recreate', why, index);
  return { ...verdict('Hold', why, index), blockedBy: 'update.fallback is Hold', hold: 'Fallback' };
}

/** A rule that matches nothing may have been intended for this field, so nothing disruptive happens to it. */
function unlessSuspect(found: Verdict, index: number, path: Path, { book }: Case): Verdict {
  if (found.decision !== 'Recreate' && found.decision !== 'Update') return found;
  const suspect = book.deadRules.find(
    ({ index: own, steps, hiddenBy }) =>
      covers(steps, path) && (hiddenBy === undefined ? own < index : hiddenBy === index),
  );
  return suspect === undefined
    ? found
    : held(suspect.index, `rules[${suspect.index}] is invalid and may apply to this field`);
}

/** The condition UpdateRulesAccepted has the error of the rule. */
function held(index: number, reason: string): Verdict {
  const helps = `correct it in the Composition; ${CONDITION.updateRulesAccepted} says what is wrong`;
  return { ...verdict('Hold', `${reason}: ${helps}`, index), blockedBy: `rules[${index}]`, hold: 'Rule' };
}

function failed(index: number, error: string): Verdict {
  const fault = { at: `rules[${index}]`, message: `when: cannot be evaluated: ${error}` };
  return { ...held(index, `rules[${index}] cannot be evaluated`), fault };
}

function verdict(decision: FieldDecision, reason: string, rule?: number): Verdict {
  return { decision, rule, updaters: [], reason, blockedBy: undefined, hold: undefined, fault: undefined };
}
