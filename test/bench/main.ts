/** What calls of functions cost, beside functions of others. `npm run bench -- --help` lists the options. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../cli/terminal/table.ts';
import { bundleProgram, MAIN, programFiles } from '../../package/build/bundle.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';
import { probed } from './health.ts';
import { type Measured, realRequests, requestsOf } from './requests.ts';
import { Target } from './target.ts';

const HELP = `Usage: npm run bench -- [--sizes N,N,… | --recorded FOLDER] [--rounds N] [--function NAME] [--without-go]
                        [--profile FOLDER]

Sends the same requests to the functions as they are bundled for their images, and to two that decide nothing: one in
Go and one in TypeScript, both with the SDK of Crossplane. What in-place-update gets, function-auto-ready gets as well.
Prints CPU milliseconds of the process per request (median of the rounds, which take turns), and the ratios to Go and to
function-auto-ready. Prints CPU and memory of the start of each function, and how long health probes take while ten of the largest
requests are in progress: as measured, and at most if no other program had had the processors. Linux only.

  --sizes N,N,…      how many machines the pools have (3,100,1000)
  --rounds N         how often each is measured (5)
  --function NAME    only this one
  --recorded FOLDER  requests that npm run e2e -- --record FOLDER kept, instead of those that are made here
  --without-go       if no Go is installed, or its modules cannot be loaded
  --profile FOLDER   writes a CPU profile of each function to it
`;

const ROOT = join(import.meta.dirname, '../..');
/** Milliseconds of CPU of one round, and before the first one, for compilers and caches. */
const ROUND = 200;
const WARM = 1000;

type Start = () => Promise<Target>;

async function functionOf(name: string, folder: string, profile: string | undefined): Promise<Start> {
  const bundle = await bundleProgram(ROOT, `functions/${name}`);
  mkdirSync(join(folder, name));
  for (const { path, content } of programFiles(ROOT, bundle, true)) writeFileSync(join(folder, name, path), content);
  const file = join(folder, name, MAIN);
  const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const flags = ['--insecure', '--metrics-address', '', '--max-recv-message-size', '64'];
  return () => Target.started(name, process.execPath, (address) => [...node, file, ...flags, '--address', address]);
}

function inGo(folder: string): Start {
  const program = built('go', '.', folder);
  return () => Target.started('Go', program, (address) => ['--address', address]);
}

function autoReady(folder: string): Start {
  const program = built('auto-ready', 'github.com/crossplane/function-auto-ready', folder);
  const flags = ['--insecure', '--max-recv-message-size', '64'];
  return () => Target.started('function-auto-ready', program, (address) => [...flags, '--address', address]);
}

/** @param module  a folder beside this file */
function built(module: string, what: string, folder: string): string {
  const program = join(folder, module);
  execFileSync('go', ['build', '-o', program, what], { cwd: join(import.meta.dirname, module), stdio: 'inherit' });
  return program;
}

const bySdk: Start = () =>
  Target.started('SDK', process.execPath, (address) => [join(import.meta.dirname, 'sdk.ts'), address]);

interface Cost {
  readonly cpu: number[];
  readonly wall: number[];
  bytes: number;
}

async function round(target: Target, { sent }: Measured, milliseconds: number, cost: Cost): Promise<void> {
  const before = target.cpu();
  let calls = 0;
  while (calls < 3 || target.cpu() - before < milliseconds) {
    const start = performance.now();
    cost.bytes = (await target.call(sent[calls % sent.length] ?? sent[0])).length;
    cost.wall.push(performance.now() - start);
    calls += 1;
  }
  cost.cpu.push((target.cpu() - before) / calls);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const shown = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

async function measure(targets: readonly Target[], what: Measured, rounds: number): Promise<readonly string[]> {
  const costs = new Map(targets.map((target): [Target, Cost] => [target, { cpu: [], wall: [], bytes: 0 }]));
  for (const target of targets) await round(target, what, WARM, { cpu: [], wall: [], bytes: 0 });
  for (let i = 0; i < rounds; i += 1) for (const [target, cost] of costs) await round(target, what, ROUND, cost);
  const cpuOf = (name: string): number | undefined =>
    [...costs].flatMap(([target, { cpu }]) => (target.name === name ? [median(cpu)] : []))[0];
  const cpu = cpuOf(what.called) ?? 0;
  const beside = (name: string): string => {
    const other = cpuOf(name);
    return other === undefined ? '-' : shown(other);
  };
  const of = (name: string): string => {
    const other = cpuOf(name);
    return other === undefined ? '-' : (cpu / other).toFixed(2);
  };
  const [own] = costs.values();
  return [
    what.called,
    what.subject,
    what.state,
    kilobytes(what.sent[0].length),
    kilobytes(own?.bytes ?? 0),
    shown(cpu),
    shown(median(own?.wall ?? [])),
    beside('SDK'),
    beside('Go'),
    of('Go'),
    of('function-auto-ready'),
  ];
}

/** While how many calls health is probed, if each has at least that many bytes. */
const AT_ONCE = 10;
const LARGE = 1_000_000;

async function healthOf(target: Target, what: Measured): Promise<readonly string[]> {
  const probes = await probed(target, what.sent[0], AT_ONCE);
  const took = probes.map((probe) => probe.took).toSorted((a, b) => a - b);
  // The time in which other programs had the processors does not depend on the function.
  const own = Math.max(...probes.map((probe) => probe.took - probe.waited));
  const part = (share: number): string => shown(took[Math.floor((took.length - 1) * share)] ?? 0);
  const calls = `${AT_ONCE} calls of ${what.called} for ${what.subject}`;
  return [calls, String(took.length), part(0.5), part(0.99), part(1), shown(own)];
}

const HEAD = [
  'FUNCTION',
  'FOR',
  'STATE',
  'REQUEST',
  'ANSWER',
  'CPU',
  'WALL P50',
  'SDK',
  'GO',
  'OF GO',
  'OF AUTO-READY',
];

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '3,100,1000' },
      rounds: { type: 'string', default: '5' },
      function: { type: 'string' },
      recorded: { type: 'string' },
      'without-go': { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const sizes = values.sizes.split(',').map((text) => wholeNumber('--sizes', text, 1));
  const rounds = wholeNumber('--rounds', values.rounds, 1);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const all = values.recorded === undefined ? await requestsOf(sizes, values.function) : realRequests(values.recorded);
  const measured = all.filter(({ called }) => values.function === undefined || called === values.function);
  const peers = values['without-go'] ? [bySdk] : [bySdk, inGo(folder)];
  const ready = values['without-go'] ? [] : [autoReady(folder)];
  const rows: (readonly string[])[] = [HEAD];
  const health: (readonly string[])[] = [['HEALTH WHILE', 'PROBES', 'P50', 'P99', 'LONGEST', 'WITHOUT OTHERS']];
  const starts = new Map<string, readonly string[]>([['', ['', 'START CPU', 'AT REST', 'PEAK']]]);
  for (const [name, all] of Map.groupBy(measured, (one) => one.called)) {
    const own = await functionOf(name, folder, values.profile);
    const targets: Target[] = [];
    for (const start of [own, ...peers, ...(name === 'in-place-update' ? ready : [])]) targets.push(await start());
    const rest = targets.map((target) => target.memory('VmRSS'));
    for (const what of all) {
      const row = await measure(targets, what, rounds);
      rows.push(row);
      console.error(row.join('  '));
    }
    const largest = all.findLast(({ sent }) => sent[0].length > LARGE);
    const [first] = targets;
    if (largest !== undefined && first !== undefined) health.push(await healthOf(first, largest));
    for (const [i, target] of targets.entries()) {
      const mebibytes = [rest[i] ?? 0, target.memory('VmHWM')].map((size) => `${Math.round(size)} MiB`);
      if (!starts.has(target.name)) starts.set(target.name, [target.name, `${shown(target.start)} ms`, ...mebibytes]);
      target.stop();
    }
  }
  console.log(`milliseconds of CPU per request, median of ${rounds} rounds\n`);
  console.log(table(rows).join('\n'));
  console.log(`\n${table([...starts.values()]).join('\n')}`);
  if (health.length > 1) console.log(`\n${table(health).join('\n')}`);
});
