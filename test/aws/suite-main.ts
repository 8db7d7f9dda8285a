/** The cases in their lab, in this process. Prints what is going on to standard error. Everything it starts it stops. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '#lib/api/errors.ts';
import { LATEST } from '../e2e/binaries/catalog.ts';
import { binaries, MissingError } from '../e2e/binaries/find.ts';
import { chosen } from '../e2e/cases/chosen.ts';
import { Processes } from '../e2e/lab/processes.ts';
import { hold, painted, tell } from '../e2e/report/progress.ts';
import { caseTable, type Outcome } from '../e2e/report/table.ts';
import { runCase } from './cases/run.ts';
import { CASES } from './cases/suite.ts';
import { type AwsLab, startAwsLab } from './lab/aws-lab.ts';
import { CACHE } from './parts.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      case: { type: 'string', multiple: true, default: [] },
      hold: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
    },
  });
  const folder = join(CACHE, 'runs', new Date().toISOString().replaceAll(':', '-').slice(0, 19));
  mkdirSync(folder, { recursive: true });
  const processes = new Processes(join(folder, 'logs'));
  process.once('exit', () => processes.killAll());
  let lab: AwsLab | undefined;
  const stop = async (): Promise<void> => (lab === undefined ? processes.stopAll() : lab.stop());
  process.once('SIGINT', () => void stop().then(() => process.exit(130)));
  process.once('SIGTERM', () => void stop().then(() => process.exit(143)));
  const outcomes: Outcome[] = [];
  try {
    const { binaries: programs } = binaries(LATEST);
    lab = await startAwsLab(programs, processes, folder, tell);
    const cases = values.case.length === 0 ? CASES : chosen(CASES, values.case);
    for (const each of cases) outcomes.push(await runCase(each, lab, outcomes, tell));
    if (values.hold) await hold(programs.kubectl, lab.kubernetes.kubeconfig);
  } catch (thrown) {
    tell(`logs: ${join(folder, 'logs')}`);
    throw thrown;
  } finally {
    tell('stopping');
    await stop();
  }
  return report(outcomes, folder, values.output === 'json');
}

function report(outcomes: readonly Outcome[], folder: string, json: boolean): number {
  const failed = outcomes.some(({ result }) => result !== 'passed');
  if (failed) tell(`logs: ${join(folder, 'logs')}`);
  else rmSync(folder, { recursive: true, force: true });
  process.stdout.write(json ? `${JSON.stringify(outcomes, null, 2)}\n` : `\n${caseTable(outcomes, painted)}`);
  return failed ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (thrown) {
  process.stderr.write(`e2e:aws: ${messageOf(thrown)}\n`);
  process.exitCode = thrown instanceof MissingError ? 2 : 1;
}
process.exit(); // watches and agents may hold the process
