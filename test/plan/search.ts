/** Generates inputs until something is found in one of them. */
import fc from 'fast-check';
import { compare } from './compare.ts';
import type { Case } from './case.ts';
import { aCase } from './generated.ts';

export interface Search {
  readonly runs: number;
  readonly seed?: number;
  /** What is found is reported as it was drawn, which costs no time. */
  readonly endOnFailure?: boolean;
}

/** How inputs of one kind are judged and repeated. */
export interface Trial<Input> {
  readonly inputs: fc.Arbitrary<Input>;
  /** Lines; empty: nothing is wrong. */
  readonly judge: (input: Input) => Promise<readonly string[]>;
  /** npm run … */
  readonly command: string;
}

/** @returns the shrunk input, in lines; undefined: nothing was found */
export async function searched<Input>(
  { inputs, judge, command }: Trial<Input>,
  { runs, seed, endOnFailure = false }: Search,
): Promise<string | undefined> {
  const found = await fc.check(
    fc.asyncProperty(inputs, async (one) => {
      const lines = await judge(one);
      if (lines.length > 0) throw new Error(lines.join('\n'));
    }),
    { numRuns: runs, endOnFailure, ...(seed === undefined ? {} : { seed }) },
  );
  if (!found.failed) return undefined;
  const [smallest] = found.counterexample ?? [];
  const cause = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance);
  return [
    cause,
    `again: ${command} -- --case '${JSON.stringify(smallest)}'`,
    `drawn by: ${command} -- --seed ${found.seed}`,
  ].join('\n');
}

const PLANS: Trial<Case> = {
  inputs: aCase(),
  judge: async (one) => (await compare(one)).differences,
  command: 'npm run plan:outcome',
};

/** @returns the shrunk pair, in lines; undefined: no difference was found */
export function search(options: Search): Promise<string | undefined> {
  return searched(PLANS, options);
}

export function replay(one: Case | undefined): string {
  return `${PLANS.command} -- --case '${JSON.stringify(one)}'`;
}
