/**
 * npm run e2e: installs the packages into a real Crossplane on a real Kubernetes API, on this machine and without
 * containers, and runs the cases: each suite in a lab of its own, side by side.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { messageOf } from '#lib/api/errors.ts';
import { recordingFolder } from '../support/recording.ts';
import { binariesBuilt } from './binaries/build.ts';
import { CROSSPLANES, type CrossplaneVersion, LATEST } from './binaries/catalog.ts';
import { MissingError } from './binaries/find.ts';
import { SUITES, USUAL } from './cases/suite.ts';
import { needs } from './needs.ts';
import { fixedPortsAreFree, inOwnNetwork } from './own-network.ts';

const LISTED = Object.entries(SUITES).map(([name, cases]) => `${name} (${cases.map((one) => one.name).join(', ')})`);

const HELP = `npm run e2e -- [options]

Runs the packages in dist/ on a real etcd, kube-apiserver and Crossplane, on loopback ports. Build them first:
npm run package. Programs come from SLIPWAY_E2E_BIN, PATH, or are built once from their Go modules into .cache/e2e.

  --suite NAME  only this suite (${USUAL.join(' and ')}); may be repeated. Suites and their cases:
                ${LISTED.join('\n                ')}
  --case NAME   only this case and what it starts from; may be repeated
  --crossplane VERSION
                ${CROSSPLANES.join(' or ')}; ${LATEST} by default
  --hold        leave everything running afterwards, until Ctrl-C; one suite only
  --build       only find or build the programs
  --record DIR  keeps requests that Crossplane sends to functions, for npm run bench -- --recorded DIR; one suite only.
                They may hold keys: DIR is in .cache, such as .cache/requests, or outside of this repository
  -o json       the result as JSON instead of tables
  --help        this text

Exit codes: 0 all passed · 1 a case failed, or dist/ is not of these sources · 2 cannot run on this machine, or usage
`;

interface Chosen {
  readonly suite: string;
  /** Empty: all of them. */
  readonly cases: readonly string[];
}

interface Ended {
  readonly suite: string;
  readonly code: number;
  readonly printed: string;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string', multiple: true },
      case: { type: 'string', multiple: true },
      crossplane: { type: 'string', default: LATEST },
      hold: { type: 'boolean', default: false },
      build: { type: 'boolean', default: false },
      record: { type: 'string' },
      output: { type: 'string', short: 'o', default: 'text' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  if (!['text', 'json'].includes(values.output))
    throw new TypeError(`cannot accept -o "${values.output}"; accepted: text, json`);
  const version = crossplaneVersion(values.crossplane);
  const suites = chosenSuites(values.suite ?? (values.case === undefined ? USUAL : Object.keys(SUITES)), values.case);
  if (values.hold && suites.length > 1)
    throw new TypeError('cannot hold several labs: choose one with --suite or --case');
  if (values.record !== undefined && suites.length > 1)
    throw new TypeError('cannot record requests of several labs: choose one with --suite or --case');
  const record = values.record === undefined ? [] : [`--record=${recordingFolder(values.record)}`];
  needs(values.build);
  for (const line of binariesBuilt(version, tell).foreign) tell(`using ${line}`);
  if (values.build) return 0;
  const args = [...(values.hold ? ['--hold'] : []), ...record, `--crossplane=${version}`, `-o=${values.output}`];
  const ended = await runSuites(suites, args, values.hold);
  if (values.output === 'json')
    print(
      `${JSON.stringify(
        ended.flatMap(({ printed }) => outcomesIn(printed)),
        null,
        2,
      )}\n`,
    );
  else print(ended.map(({ suite, printed }) => `\n${suite.toUpperCase()}\n${printed}`).join(''));
  const codes = ended.map(({ code }) => code);
  return codes.find((code) => code !== 0 && code !== 2) ?? Math.max(...codes);
}

function crossplaneVersion(given: string): CrossplaneVersion {
  const version = CROSSPLANES.find((one) => one === given);
  if (version === undefined)
    throw new TypeError(`cannot run Crossplane "${given}"; accepted: ${CROSSPLANES.join(', ')}`);
  return version;
}

/** Each case in the first suite that has it. */
function chosenSuites(suites: readonly string[], cases: readonly string[] | undefined): readonly Chosen[] {
  const unknown = suites.filter((name) => !(name in SUITES));
  if (unknown.length > 0) throw new TypeError(`no suite "${unknown.join('", "')}"; --help lists them`);
  if (cases === undefined) return suites.map((suite) => ({ suite, cases: [] }));
  const of = (name: string): string | undefined =>
    suites.find((suite) => SUITES[suite]?.some((each) => each.name === name));
  const strange = cases.filter((name) => of(name) === undefined);
  if (strange.length > 0) throw new TypeError(`no case "${strange.join('", "')}"; --help lists them`);
  return suites
    .map((suite) => ({ suite, cases: cases.filter((name) => of(name) === suite) }))
    .filter((one) => one.cases.length > 0);
}

/** Side by side, each in a network of its own; where that cannot be had, one after another. */
async function runSuites(suites: readonly Chosen[], args: readonly string[], hold: boolean): Promise<readonly Ended[]> {
  // Whoever looks around in a lab that is held must reach it.
  const apart = !hold && inOwnNetwork([]) !== undefined;
  if (!apart) await fixedPortsAreFree();
  const run = (one: Chosen): Promise<Ended> => runSuite(one, args, apart);
  if (apart) return Promise.all(suites.map(run));
  const ended: Ended[] = [];
  for (const one of suites) ended.push(await run(one));
  return ended;
}

async function runSuite({ suite, cases }: Chosen, args: readonly string[], apart: boolean): Promise<Ended> {
  const program = [process.execPath, join(import.meta.dirname, 'suite-main.ts'), suite, ...args];
  const command = [...program, ...cases.map((name) => `--case=${name}`)];
  const [first = '', ...rest] = (apart ? inOwnNetwork(command) : undefined) ?? command;
  const env = { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) };
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'], env });
  stopsWith(child);
  createInterface({ input: child.stderr }).on('line', (line) => tell(`${suite.padEnd(WIDTH)} ${line}`));
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { suite, code: typeof code === 'number' ? code : 1, printed };
}

const WIDTH = Math.max(...Object.keys(SUITES).map(({ length }) => length));

/** A terminal sends Ctrl-C to the lab as well: this process waits until everything is stopped. */
function stopsWith(child: ChildProcess): void {
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
}

/** A suite that could not run printed nothing. */
function outcomesIn(printed: string): readonly unknown[] {
  return printed === '' ? [] : (JSON.parse(printed) as readonly unknown[]);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print(content: string): number {
  process.stdout.write(content);
  return 0;
}

try {
  process.exitCode = await main();
} catch (thrown) {
  const cannot = thrown instanceof MissingError || thrown instanceof TypeError;
  process.stderr.write(`e2e: ${messageOf(thrown)}\n`);
  process.exitCode = cannot ? 2 : 1;
}
