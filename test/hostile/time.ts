/**
 * No text of a claim takes a function longer than its budget. Which expressions read a text is seen in a call of the
 * function; each gets texts that are made against it. Other code gets texts of one repeated part, in calls to a thread
 * as functions start them, and so do the values of Secrets that a claim names.
 */
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { answer } from '#lib/wire/shell.ts';
import { SMALL } from '#lib/wire/thread-limits.ts';
import { Threads } from '#lib/wire/threads.ts';
import { aWorld } from '../support/request.ts';
import type { TextField } from './fields.ts';
import { plainPumps, pumpsOf } from './pumps.ts';
import { MOST, namingSecret, secretPumps } from './secret-values.ts';
import { having, quiet, type Subject } from './subject.ts';

/**
 * Milliseconds: an honest text takes less than one for an expression, and some tens for a call. What takes longer than
 * `first` is tried again with more.
 */
export const BUDGET = { first: 300, expression: 2000, call: 10_000 } as const;

export interface Slow {
  readonly field: string;
  readonly what: string;
}

export interface Read {
  readonly field: TextField;
  readonly accepted: boolean;
  readonly expressions: readonly RegExp[];
}

/** Which expressions read the text of a field. */
export async function readOf(subject: Subject): Promise<Read> {
  const { field, run } = subject;
  const expressions = new Map<string, RegExp>();
  const exec = Reflect.get(RegExp.prototype, 'exec');
  const bytes = encodeRequest(having(subject, field.sample));
  const recorded = function recorded(this: RegExp, text: string): RegExpExecArray | null {
    if (text.includes(field.sample)) expressions.set(String(this), this);
    return exec.call(this, text);
  };
  Reflect.set(RegExp.prototype, 'exec', recorded);
  try {
    const { outcome } = await answer({ run, logger: quiet }, bytes, aWorld());
    return { field, accepted: outcome === 'accepted', expressions: [...expressions.values()] };
  } finally {
    Reflect.set(RegExp.prototype, 'exec', exec);
  }
}

/** An expression that takes longer than its budget on a text of at most this length, and that text. */
export function slowText(expression: RegExp, longest: number): string | undefined {
  return pumpsOf(expression, longest).find(
    (text) => !isQuick(expression, text, BUDGET.first) && !isQuick(expression, text, BUDGET.expression),
  );
}

function isQuick(expression: RegExp, text: string, budget: number, timeout = budget): boolean {
  const tried = new RegExp(expression.source, expression.flags);
  const before = process.threadCpuUsage();
  // A timeout of V8 ends an expression, which no other code of the same thread could.
  const held = globalThis as { pumped?: () => void };
  held.pumped = () => void tried.exec(text);
  try {
    runInThisContext('pumped()', { timeout });
    return true;
  } catch {
    // Other programs may have had the processor.
    const took = process.threadCpuUsage(before).user / 1000;
    return took < budget / 2 && isQuick(expression, text, budget, timeout * 2);
  } finally {
    delete held.pumped;
  }
}

/** @param told is called with what is found */
export function slowExpressions(reads: readonly Read[], told: (slow: Slow) => void): number {
  const longest = new Map<string, { expression: RegExp; longest: number; fields: string[] }>();
  for (const { field, expressions } of reads)
    for (const expression of expressions) {
      const known = longest.get(String(expression)) ?? { expression, longest: 0, fields: [] };
      known.longest = Math.max(known.longest, field.longest);
      known.fields.push(field.path);
      longest.set(String(expression), known);
    }
  for (const { expression, longest: most, fields } of longest.values()) {
    const text = slowText(expression, most);
    if (text !== undefined)
      told({
        field: [...new Set(fields)].slice(0, 5).join(', '),
        what: `/${expression.source.slice(0, 100)}/ takes more than ${BUDGET.expression} ms for ${said(text)}`,
      });
  }
  return longest.size;
}

const said = (text: string): string => `${JSON.stringify(text.slice(0, 30))}… (${text.length} characters)`;

/** Times that a call may be late because other programs had the processor. */
const TRIES = 5;

async function failureOf(call: () => Promise<unknown>, tries = TRIES): Promise<string | undefined> {
  const before = process.cpuUsage();
  try {
    await call();
    return undefined;
  } catch (error) {
    const { user, system } = process.cpuUsage(before);
    const isLate = error instanceof SlipwayError && error.code === 'DeadlineExceeded';
    const isOurs = (user + system) / 1000 > BUDGET.call / 2;
    return isLate && !isOurs && tries > 1 ? failureOf(call, tries - 1) : String(error);
  }
}

/**
 * Calls the function as it is served, with every text of one repeated part, and with every Secret that a claim may name
 * and such values in it.
 */
export async function slowCalls(
  name: string,
  subjects: readonly Subject[],
  told: (slow: Slow) => void,
): Promise<{ readonly texts: number; readonly secrets: number }> {
  const main = join(import.meta.dirname, `../../functions/${name}/main.ts`);
  const started: Worker[] = [];
  const start = (resourceLimits: ResourceLimits): Worker => {
    const thread = new Worker(main, { argv: ['--insecure'], resourceLimits });
    started.push(thread);
    return thread;
  };
  const limits = { threads: 1, patience: 0, waiting: 2 ** 30, deadline: BUDGET.call, heap: SMALL.heap };
  const threads = new Threads(start, limits);
  const calls = { texts: 0, secrets: 0 };
  const call = async (what: keyof typeof calls, field: string, request: Request, text: string): Promise<void> => {
    calls[what] += 1;
    const error = await failureOf(() => threads.answer({ bytes: encodeRequest(request), now: Date.now() }));
    if (error !== undefined) told({ field, what: `${error}: ${said(text)}` });
  };
  for (const subject of subjects) {
    const { path, longest } = subject.field;
    for (const text of plainPumps(longest)) await call('texts', path, having(subject, text), text);
    const naming = path.endsWith('.secret.name') ? await namingSecret(subject) : undefined;
    if (naming === undefined) continue;
    for (const value of secretPumps(MOST))
      for (const request of naming(value)) await call('secrets', `the Secret of ${path}`, request, value);
  }
  await Promise.all(started.map((thread) => thread.terminate()));
  return calls;
}
