/**
 * The rules of an input, parsed once. An invalid rule does not stop the step: it is reported with its index, and
 * changes that it decides or may have been written for are held, so that nothing is replaced because of it.
 */
import { z } from 'zod';
import { MachineSpec } from '#lib/api/kinds/machine.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { type Condition, conditionFrom } from './condition.ts';
import { includes, knownSteps, type Step, stepsOf } from './field-path.ts';
import type { Decision, InPlaceUpdateInput, Rule, Updater } from './input.ts';
import { isMachine } from './machine.ts';

/** What is wrong with one entry of the input. */
export interface Fault {
  /** The entry: `rules[3]`. */
  readonly at: string;
  readonly message: string;
}

export interface ReadRule {
  readonly index: number;
  /** As its author wrote it. */
  readonly path: string;
  readonly steps: readonly Step[];
  readonly condition: Condition | undefined;
  readonly decision: Decision;
  readonly updater: Updater | undefined;
  /** It matches changes and cannot decide about them. */
  readonly broken: boolean;
}

/** A rule that matches nothing. Its author intended it for something, but not for what other rules decide now. */
export interface DeadRule {
  readonly index: number;
  readonly steps: readonly Step[];
  /** The rule that decides instead; undefined: any after it. */
  readonly hiddenBy: number | undefined;
}

export interface Rulebook {
  readonly rules: readonly ReadRule[];
  readonly otherwise: Decision;
  readonly faults: readonly Fault[];
  readonly deadRules: readonly DeadRule[];
}

/** Calculated once for each input object; lib/fn returns the same object while the input is the same. */
export function rulebook(input: InPlaceUpdateInput): Rulebook {
  const known = books.get(input);
  if (known !== undefined) return known;
  const book = bookOf(input);
  books.set(input, book);
  return book;
}

const books = new WeakMap<InPlaceUpdateInput, Rulebook>();

function bookOf(input: InPlaceUpdateInput): Rulebook {
  const updaters = new Map<string, Updater>();
  const twice = new Set<string>();
  for (const updater of input.updaters) {
    if (updaters.has(updater.name)) twice.add(updater.name);
    updaters.set(updater.name, updater);
  }
  const read = input.rules.map((rule, index) => readRule(rule, index, { updaters, twice, input }));
  const hidden = input.rules.flatMap((_, index) => hiddenRule(input.rules, index));
  return {
    rules: read.flatMap(({ rule }) => rule ?? []),
    otherwise: input.otherwise,
    faults: [...read.flatMap(({ fault }) => fault ?? []), ...hidden.map(({ fault }) => fault)].sort(byPlace),
    deadRules: [...read.flatMap(({ dead }) => dead ?? []), ...hidden.flatMap((one) => one.dead ?? [])],
  };
}

function byPlace(a: Fault, b: Fault): number {
  return placeOf(a) - placeOf(b);
}

function placeOf({ at }: Fault): number {
  return Number(/\d+/.exec(at)?.[0] ?? 0);
}

interface Known {
  readonly updaters: ReadonlyMap<string, Updater>;
  readonly twice: ReadonlySet<string>;
  readonly input: InPlaceUpdateInput;
}

interface Reading {
  readonly rule?: ReadRule;
  readonly fault?: Fault;
  readonly dead?: DeadRule;
}

function readRule({ path, when, decision, updater: name }: Rule, index: number, known: Known): Reading {
  const steps = stepsOf(path);
  const count = knownSteps(schemaOf(known.input), steps);
  if (count < steps.length) {
    const message = `path: ${known.input.select.kind} has no field ${path}; it has only ${steps.slice(0, count).join('.')}`;
    return {
      fault: { at: `rules[${index}]`, message },
      dead: { index, steps: steps.slice(0, count), hiddenBy: undefined },
    };
  }
  const condition = when === undefined ? undefined : conditionFrom(when);
  const wrong = conditionFault(condition) ?? updaterFault(decision, name, known);
  const updater = name === undefined ? undefined : known.updaters.get(name);
  return {
    rule: { index, path, steps, condition, decision, updater, broken: wrong !== undefined },
    ...(wrong === undefined ? {} : { fault: { at: `rules[${index}]`, message: wrong } }),
  };
}

function conditionFault(condition: Condition | undefined): string | undefined {
  return condition?.fault === undefined ? undefined : `when: cannot be evaluated: ${condition.fault}`;
}

function updaterFault(decision: Decision, name: string | undefined, { updaters, twice }: Known): string | undefined {
  if (name === undefined) return undefined;
  if (decision !== 'Update')
    return `updater: ${JSON.stringify(name)} has no effect in a rule with decision ${decision}`;
  if (twice.has(name)) return `updater: ${JSON.stringify(name)} is listed more than once in updaters`;
  if (updaters.has(name)) return undefined;
  const accepted = updaters.size === 0 ? 'none, since updaters is empty' : oneOf(name, [...updaters.keys()].toSorted());
  return `updater: ${JSON.stringify(name)} is not accepted; accepted: ${accepted}`;
}

/** A rule that is always hidden by an earlier one. It does no harm only if both have the same decision. */
function hiddenRule(
  rules: readonly Rule[],
  index: number,
): readonly { readonly fault: Fault; readonly dead: DeadRule | undefined }[] {
  const rule = rules[index];
  if (rule === undefined) return [];
  const steps = stepsOf(rule.path);
  const hider = rules.findIndex(
    (earlier, i) =>
      i < index &&
      (earlier.when === undefined
        ? includes(stepsOf(earlier.path), steps)
        : earlier.when === rule.when && earlier.path === rule.path),
  );
  if (hider < 0) return [];
  const same = rules[hider]?.decision === rule.decision && rules[hider]?.updater === rule.updater;
  const message = `path: ${rule.path} is already decided by rules[${hider}]; put the narrower rule first or remove one`;
  return [{ fault: { at: `rules[${index}]`, message }, dead: same ? undefined : { index, steps, hiddenBy: hider } }];
}

/** Fields of other kinds are not known here. */
function schemaOf({ select }: InPlaceUpdateInput): z.ZodType {
  return isMachine(select) ? OF_MACHINE : OF_ANY;
}

const MARKS = z.object({ labels: z.record(z.string(), z.string()), annotations: z.record(z.string(), z.string()) });
const OF_MACHINE = z.object({ metadata: MARKS, spec: MachineSpec });
const OF_ANY = z.object({ metadata: MARKS, spec: z.record(z.string(), z.unknown()) });
