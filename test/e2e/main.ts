/**
 * npm run e2e: installs the packages into a real Crossplane on a real Kubernetes API, on this machine and without
 * containers, and runs the cases. It stops all processes that it starts.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { binariesBuilt } from './binaries/build.ts';
import { MissingError, ROOT } from './binaries/find.ts';
import type { Case } from './cases/case.ts';
import { runCase } from './cases/run.ts';
import { CASES } from './cases/suite.ts';
import { type Lab, startLab } from './lab/lab.ts';
import { Processes } from './lab/processes.ts';
import { type Outcome, callTable, caseTable } from './report/table.ts';
import { writeTable } from './report/write-table.ts';
import { needs } from './needs.ts';

const HELP = `npm run e2e -- [options]

Runs the packages in dist/ on a real etcd, kube-apiserver and Crossplane, on loopback ports. Build them first:
npm run package. Programs come from SLIPWAY_E2E_BIN, PATH, or are built once from their Go modules into .cache/e2e.

  --case NAME   only this case and what it starts from; may be repeated: ${CASES.map(({ name }) => `"${name}"`).join(', ')}
  --hold        leave everything running afterwards, until Ctrl-C
  --build       only find or build the programs
  -o json       the result as JSON instead of tables
  --help        this text

Exit codes: 0 all passed · 1 a case failed · 2 cannot run on this machine, or usage
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      case: { type: 'string', multiple: true },
      hold: { type: 'boolean', default: false },
      build: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(process.stdout, HELP);
  if (!['text', 'json'].includes(values.output))
    throw new TypeError(`cannot accept -o "${values.output}"; accepted: text, json`);
  const wanted = wantedCases(values.case);
  needs(values.build);
  const { binaries, foreign } = binariesBuilt(tell);
  for (const line of foreign) tell(`using ${line}`);
  if (values.build) return 0;
  const folder = join(ROOT, '.cache/e2e/runs', new Date().toISOString().replaceAll(':', '-').slice(0, 19));
  const processes = new Processes(join(folder, 'logs'));
  process.once('exit', () => processes.killAll());
  let lab: Lab | undefined;
  const stop = async (): Promise<void> => (lab === undefined ? processes.stopAll() : lab.stop());
  process.once('SIGINT', () => void stop().then(() => process.exit(130)));
  process.once('SIGTERM', () => void stop().then(() => process.exit(143)));
  const outcomes: Outcome[] = [];
  try {
    lab = await startLab(binaries, processes, folder, tell);
    await runAll(lab, wanted, outcomes);
    if (values.hold) await held(binaries.kubectl, lab);
  } catch (thrown) {
    tell(`logs: ${join(folder, 'logs')}`);
    throw thrown;
  } finally {
    tell('stopping');
    await stop();
  }
  return report(outcomes, folder, values.output === 'json');
}

function wantedCases(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return CASES.map(({ name }) => name);
  const unknown = names.filter((name) => !CASES.some((each) => each.name === name));
  if (unknown.length > 0) throw new TypeError(`no case "${unknown.join('", "')}"; --help lists them`);
  const needed = (name: string): readonly string[] => [
    ...(CASES.find((each) => each.name === name)?.after ?? []).flatMap(needed),
    name,
  ];
  return names.flatMap(needed);
}

/** This case measures a reaction time, so nothing else runs beside it. */
const ALONE = 'hundred';

async function runAll(lab: Lab, wanted: readonly string[], outcomes: Outcome[]): Promise<void> {
  const chosen = CASES.filter(({ name }) => wanted.includes(name));
  const run = async (each: Case): Promise<Outcome> => {
    tell(`${each.name} …`);
    const outcome = await runCase(each, lab, outcomes, (line) => tell(`  ${line}`));
    tell(`${each.name}: ${outcome.result} in ${Math.round(outcome.seconds)} s: ${outcome.note}`);
    return outcome;
  };
  const beside = chosen.filter((each) => each.beside === true).map(run);
  for (const each of chosen.filter((one) => one.beside !== true)) {
    if (each.name === ALONE) outcomes.push(...(await Promise.all(beside)));
    outcomes.push(await run(each));
  }
  if (outcomes.length < chosen.length) outcomes.push(...(await Promise.all(beside)));
}

async function held(kubectl: string, { kubernetes }: Lab): Promise<void> {
  tell(`holding; look around with: KUBECONFIG=${kubernetes.kubeconfig} ${kubectl} get managed -A`);
  await new Promise(() => {
    setInterval(() => undefined, 60_000); // until Ctrl-C
  });
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

function painted(result: Outcome['result']): string {
  const colour = { passed: 32, failed: 31, skipped: 33 }[result];
  return process.stdout.isTTY ? `\u001B[${colour}m${result}\u001B[39m` : result;
}

const started = Date.now();

function tell(line: string): void {
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
}

function say(stream: NodeJS.WriteStream, text: string): number {
  stream.write(text);
  return 0;
}

try {
  mkdirSync(join(ROOT, '.cache/e2e'), { recursive: true });
  process.exitCode = await main();
} catch (thrown) {
  const cannot = thrown instanceof MissingError || thrown instanceof TypeError;
  process.stderr.write(`e2e: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = cannot ? 2 : 1;
}
process.exit(); // watches and agents may keep the process running
