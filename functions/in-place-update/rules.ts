/** Which decision a changed field meets. */
import { LABEL } from '#lib/api/words.ts';
import type { Change, Path } from './diff.ts';
import type { Decision, InPlaceUpdateInput } from './input.ts';

export interface Decided extends Change {
  readonly decision: Decision;
  /** Index of the rule that decided; undefined: `otherwise` did. */
  readonly rule: number | undefined;
}

/** A key, or * for any item of a list. */
type Step = string;

/** Rules with their paths taken apart once. */
export interface Rulebook {
  readonly rules: readonly { readonly steps: readonly Step[]; readonly decision: Decision }[];
  readonly otherwise: Decision;
}

/** An object keeps the number it was made with. Not counted as a rule. */
const OWN_MARK = { steps: ['metadata', 'labels', LABEL.serial], decision: 'Ignore' } as const;

export function rulebook({ rules, otherwise }: InPlaceUpdateInput): Rulebook {
  return { rules: [OWN_MARK, ...rules.map(({ path, decision }) => ({ steps: stepsOf(path), decision }))], otherwise };
}

export function decide(book: Rulebook, change: Change): Decided {
  const rule = book.rules.findIndex(({ steps }) => meets(steps, change.path));
  const decision = book.rules[rule]?.decision ?? book.otherwise;
  return { ...change, decision, rule: rule < 1 ? undefined : rule - 1 };
}

function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(/\["(?<quoted>[^"]+)"\]|\[(?<any>\*)\]|(?<name>[^.[\]]+)/g)].map(
    ({ groups }) => groups?.['quoted'] ?? groups?.['any'] ?? groups?.['name'] ?? '',
  );
}

/** A rule meets its field and everything below it; and a list or object that changed as a whole, of which it names a part. */
function meets(steps: readonly Step[], path: Path): boolean {
  const shared = Math.min(steps.length, path.length);
  return (
    path.slice(0, shared).every((step, i) => (typeof step === 'number' ? steps[i] === '*' : steps[i] === step)) &&
    path.length >= Math.min(steps.length, lengthToList(steps))
  );
}

/** How much of a rule's path must be there: up to the first [*], since a list that grew changes as a whole. */
function lengthToList(steps: readonly Step[]): number {
  const star = steps.indexOf('*');
  return star < 0 ? steps.length : star;
}

const STRENGTH: Readonly<Record<Decision, number>> = { Ignore: 0, Patch: 1, Recreate: 2 };

/** The strongest decision; undefined when nothing changed. */
export function strongest(decided: readonly Decided[]): Decision | undefined {
  return decided.reduce<Decision | undefined>(
    (best, { decision }) => (best === undefined || STRENGTH[decision] > STRENGTH[best] ? decision : best),
    undefined,
  );
}
