/**
 * One suite in a lab of its own, in this process: npm run e2e starts one for each suite. Prints what is going on to
 * standard error, and tables or JSON in the end. Everything it starts it stops.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { messageOf } from '#lib/api/errors.ts';
import { type CrossplaneVersion, LATEST } from './binaries/catalog.ts';
import { MissingError, ROOT, binaries } from './binaries/find.ts';
import type { Case } from './cases/case.ts';
import { runCase } from './cases/run.ts';
import { chosen } from './cases/chosen.ts';
import { PLATFORMS, SUITES } from './cases/suite.ts';
import { type Lab, startLab } from './lab/lab.ts';
import { Processes } from './lab/processes.ts';
import { providerPackages } from './packages/providers.ts';
import { Recording } from '../support/recording.ts';
import { hold, painted, tell } from './report/progress.ts';
import { type Outcome, callTable, caseTable } from './report/table.ts';
import { writeTable } from './report/write-table.ts';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      case: { type: 'string', multiple: true },
      crossplane: { type: 'string', default: LATEST },
      hold: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      record: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [name = ''] = positionals;
  const suite = SUITES[name] ?? [];
  const cases = values.case === undefined ? suite : chosen(suite, values.case);
  const { binaries: programs } = binaries(values.crossplane as CrossplaneVersion);
  const folder = join(ROOT, '.cache/e2e/runs', `${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}-${name}`);
  const processes = new Processes(join(folder, 'logs'));
  process.once('exit', () => processes.killAll());
  let lab: Lab | undefined;
  const stop = async (): Promise<void> => (lab === undefined ? processes.stopAll() : lab.stop());
  process.once('SIGINT', () => void stop().then(() => process.exit(130)));
  process.once('SIGTERM', () => void stop().then(() => process.exit(143)));
  const outcomes: Outcome[] = [];
  try {
    const recording = values.record === undefined ? undefined : new Recording(values.record);
    lab = await startLab(programs, processes, folder, tell, {
      platform: PLATFORMS[name],
      recording,
      clouds: SIMULATED_CLOUDS,
      providers: providerPackages(),
    });
    await runAll(lab, cases, outcomes);
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

async function runAll(lab: Lab, cases: readonly Case[], outcomes: Outcome[]): Promise<void> {
  const run = async (each: Case): Promise<Outcome> => {
    tell(`${each.name} …`);
    const outcome = await runCase(each, lab, outcomes, (line) => tell(`  ${line}`));
    tell(`${each.name}: ${outcome.result} in ${Math.round(outcome.seconds)} s: ${outcome.note}`);
    return outcome;
  };
  const beside = cases.filter((each) => each.beside === true).map(run);
  for (const each of cases.filter((one) => one.beside !== true)) outcomes.push(await run(each));
  outcomes.push(...(await Promise.all(beside)));
}

function report(outcomes: readonly Outcome[], folder: string, json: boolean): number {
  const failed = outcomes.some(({ result }) => result !== 'passed');
  if (failed) tell(`logs: ${join(folder, 'logs')}`);
  else rmSync(folder, { recursive: true, force: true });
  if (json) process.stdout.write(`${JSON.stringify(outcomes, mapAsObject, 2)}\n`);
  else process.stdout.write(`\n${caseTable(outcomes, painted)}\n${callTable(outcomes)}\n${writeTable(outcomes)}`);
  return failed ? 1 : 0;
}

function mapAsObject(_key: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}

try {
  mkdirSync(join(ROOT, '.cache/e2e'), { recursive: true });
  process.exitCode = await main();
} catch (thrown) {
  process.stderr.write(`e2e: ${messageOf(thrown)}\n`);
  process.exitCode = thrown instanceof MissingError ? 2 : 1;
}
process.exit(); // watches and agents may hold the process
