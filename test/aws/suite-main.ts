/** The cases in their lab, in this process. Prints what is going on to standard error. Everything it starts it stops. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '#lib/api/errors.ts';
import { LATEST } from '../e2e/binaries/catalog.ts';
import { binaries, MissingError } from '../e2e/binaries/find.ts';
import { Processes } from '../e2e/lab/processes.ts';
import { caseTable, type Outcome } from '../e2e/report/table.ts';
import { chosen, runCase } from './cases/run.ts';
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
    for (const each of chosen(CASES, values.case)) outcomes.push(await runCase(each, lab, outcomes, tell));
    if (values.hold) await held(lab);
  } catch (thrown) {
    tell(`logs: ${join(folder, 'logs')}`);
    throw thrown;
  } finally {
    tell('stopping');
    await stop();
  }
  return report(outcomes, folder, values.output === 'json');
}

async function held({ kubernetes, binaries: { kubectl } }: AwsLab): Promise<void> {
  tell(`holding; look around with: KUBECONFIG=${kubernetes.kubeconfig} ${kubectl} get managed -A`);
  await new Promise(() => {
    setInterval(() => undefined, 60_000); // until Ctrl-C
  });
}

function report(outcomes: readonly Outcome[], folder: string, json: boolean): number {
  const failed = outcomes.some(({ result }) => result !== 'passed');
  if (failed) tell(`logs: ${join(folder, 'logs')}`);
  else rmSync(folder, { recursive: true, force: true });
  process.stdout.write(json ? `${JSON.stringify(outcomes, null, 2)}\n` : `\n${caseTable(outcomes, painted)}`);
  return failed ? 1 : 0;
}

function painted(result: Outcome['result']): string {
  const colour = { passed: 32, failed: 31, skipped: 33 }[result];
  return process.env['FORCE_COLOR'] === '1' ? `\u001B[${colour}m${result}\u001B[39m` : result;
}

const started = Date.now();

function tell(line: string): void {
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
}

try {
  process.exitCode = await main();
} catch (thrown) {
  process.stderr.write(`e2e:aws: ${messageOf(thrown)}\n`);
  process.exitCode = thrown instanceof MissingError ? 2 : 1;
}
process.exit(); // watches and agents may hold the process
