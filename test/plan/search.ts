/** Generates pairs of state and edit until the plan for one differs from what happens. */
import fc from 'fast-check';
import { compare } from './compare.ts';
import type { Case } from './case.ts';
import { aCase } from './generated.ts';

export interface Search {
  readonly runs: number;
  readonly seed?: number;
}

/** @returns the shrunk pair, in lines; undefined: no difference was found */
export async function search({ runs, seed }: Search): Promise<string | undefined> {
  const found = await fc.check(
    fc.asyncProperty(aCase(), async (one) => {
      const { differences } = await compare(one);
      if (differences.length > 0) throw new Error(differences.join('\n'));
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  );
  if (!found.failed) return undefined;
  const [smallest] = found.counterexample ?? [];
  const cause = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance);
  return [cause, `again: ${replay(smallest)}`, `drawn by: npm run plan:outcome -- --seed ${found.seed}`].join('\n');
}

export function replay(one: Case | undefined): string {
  return `npm run plan:outcome -- --case '${JSON.stringify(one)}'`;
}
