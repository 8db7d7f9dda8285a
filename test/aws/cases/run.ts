/** How a case ends: no reconcile of the provider may panic in any of them. */
import { messageOf } from '#lib/api/errors.ts';
import { hold } from '../../e2e/cases/case.ts';
import type { Outcome } from '../../e2e/report/table.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import type { Case } from './case.ts';

export async function runCase(
  each: Case,
  lab: AwsLab,
  before: readonly Outcome[],
  tell: (line: string) => void,
): Promise<Outcome> {
  const { name, after = [] } = each;
  const lacking = after.filter((one) => before.find((outcome) => outcome.name === one)?.result !== 'passed');
  if (lacking.length > 0) return { name, result: 'skipped', seconds: 0, note: `starts from ${lacking.join(', ')}` };
  const started = Date.now();
  const outcome = (result: Outcome['result'], note: string): Outcome => {
    const seconds = (Date.now() - started) / 1000;
    tell(`${name}: ${result} in ${Math.round(seconds)} s: ${note}`);
    return { name, result, seconds, note: note.replaceAll(/\s+/g, ' ') };
  };
  tell(`${name} …`);
  try {
    const note = await each.run(lab, (line) => tell(`  ${line}`));
    const panics = await lab.provider.panics();
    hold('no reconcile of the provider panics', panics === 0, String(panics));
    return outcome('passed', note);
  } catch (thrown) {
    return outcome('failed', messageOf(thrown));
  }
}
