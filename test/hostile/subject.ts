/** What is measured in time: one text of one kind of claim, in a valid request. */
import { pino } from 'pino';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { Request } from '#lib/fn/request.ts';
import { type TextField, textFields } from './fields.ts';
import { SUBJECTS } from './requests.ts';

/** One call for every text of every kind of claim that a function is called for. */
export interface Subject {
  readonly run: CompositionFunction;
  readonly request: Request;
  readonly field: TextField;
}

export async function subjectsOf(name: string): Promise<readonly Subject[]> {
  const { run, valid } = SUBJECTS[name]!;
  const byKind = new Map((await valid()).toReversed().map((one) => [one.observed.composite.kind, one]));
  return [...byKind].flatMap(([kind, request]) => textFields(kind).map((field) => ({ run, request, field })));
}

export function having({ request, field }: Subject, text: string): Request {
  const { composite } = request.observed;
  const spec = field.with(composite.spec ?? {}, text);
  return { ...request, observed: { ...request.observed, composite: { ...composite, spec } } };
}

export const quiet = pino({ enabled: false });
