/** The embedded engine gives the same result as Crossplane for every XR of the example at every step. */
import { join } from 'node:path';
import { EXEMPT } from '../fidelity/exempt.ts';
import { compareEngines } from '../fidelity/fidelity.ts';
import { validate } from '../fidelity/validate.ts';
import { type Case, hold } from './case.ts';

/** Fewer would mean that steps were missed. */
const AT_LEAST = 150;

export const fidelityCase: Case = {
  name: 'fidelity',
  beside: true,
  async run({ binaries, folder }, log) {
    const comparisons = await compareEngines(binaries, 'aws', join(folder, 'fidelity'), log);
    const [first, ...more] = comparisons.filter(({ difference }) => difference !== undefined);
    const seen = first === undefined ? '' : `${first.xr} at "${first.stage}": ${first.difference ?? ''}`;
    hold(`the engines agree (${more.length + 1} of ${comparisons.length} do not)`, first === undefined, seen);
    hold(`at least ${AT_LEAST} reconciles are compared`, comparisons.length >= AT_LEAST, String(comparisons.length));
    const { judged, failures } = await validate(binaries, join(folder, 'validate'), comparisons);
    hold('what is rendered fits its schemas', failures.length === 0, failures[0]);
    return `${comparisons.length} reconciles equal but for ${EXEMPT.length} listed things, ${judged} objects valid`;
  },
};
