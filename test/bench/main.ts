/** What calls of functions cost, beside functions of others. `npm run bench -- --help` lists the options. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../cli/terminal/table.ts';
import { bundleProgram, MAIN, programFiles } from '../../package/build/bundle.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';
import { type Measured, others, poolsOf } from './requests.ts';
import { Target } from './target.ts';

const HELP = `Usage: npm run bench -- [--sizes N,N,…] [--rounds N] [--function NAME] [--without-go] [--profile FOLDER]

Sends the same requests to the functions as they are bundled for their images, and to two that decide nothing: one in
Go and one in TypeScript, both with the SDK of Crossplane. Prints CPU milliseconds of the process per request (median of
the rounds, which take turns), and the ratio to Go. Linux only.

  --sizes N,N,…     how many machines the pools have (3,100,1000)
  --rounds N        how often each is measured (5)
  --function NAME   only this one
  --without-go      if no Go is installed, or its modules cannot be loaded
  --profile FOLDER  writes a CPU profile of each function to it
`;

const ROOT = join(import.meta.dirname, '../..');
/** Milliseconds of one round. */
const ROUND = 400;

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
  const program = join(folder, 'go');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(import.meta.dirname, 'go'), stdio: 'inherit' });
  return () => Target.started('Go', program, (address) => ['--address', address]);
}

const bySdk: Start = () =>
  Target.started('SDK', process.execPath, (address) => [join(import.meta.dirname, 'sdk.ts'), address]);

interface Cost {
  readonly cpu: number[];
  readonly wall: number[];
  bytes: number;
}

async function round(target: Target, { bytes }: Measured, cost: Cost): Promise<void> {
  const [began, before] = [performance.now(), target.cpu()];
  let calls = 0;
  while (calls < 3 || performance.now() - began < ROUND) {
    const start = performance.now();
    cost.bytes = (await target.call(bytes)).length;
    cost.wall.push(performance.now() - start);
    calls += 1;
  }
  cost.cpu.push((target.cpu() - before) / calls);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const shown = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

async function measure(targets: readonly Target[], what: Measured, rounds: number): Promise<readonly string[]> {
  const costs = targets.map((): Cost => ({ cpu: [], wall: [], bytes: 0 }));
  for (let i = -1; i < rounds; i += 1)
    for (const [at, target] of targets.entries()) {
      const cost = costs[at];
      // The first round is for compilers and caches.
      if (cost !== undefined) await round(target, what, i < 0 ? { cpu: [], wall: [], bytes: 0 } : cost);
    }
  const [own, sdk, go] = costs.map(({ cpu }) => median(cpu));
  return [
    what.name,
    what.state,
    what.state === '-' ? '-' : String(what.machines),
    `${Math.round(what.bytes.length / 1000)} kB`,
    `${Math.round((costs[0]?.bytes ?? 0) / 1000)} kB`,
    shown(own ?? 0),
    shown(median(costs[0]?.wall ?? [])),
    shown(sdk ?? 0),
    go === undefined ? '-' : shown(go),
    go === undefined ? '-' : ((own ?? 0) / go).toFixed(2),
  ];
}

const HEAD = ['FUNCTION', 'STATE', 'MACHINES', 'REQUEST', 'ANSWER', 'CPU', 'WALL P50', 'SDK CPU', 'GO CPU', 'OF GO'];

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '3,100,1000' },
      rounds: { type: 'string', default: '5' },
      function: { type: 'string' },
      'without-go': { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const sizes = values.sizes.split(',').map((text) => wholeNumber('--sizes', text, 1));
  const rounds = wholeNumber('--rounds', values.rounds, 1);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const measured = [...(await Promise.all(sizes.map(poolsOf))).flat(), ...(await others())].filter(
    ({ name }) => values.function === undefined || name === values.function,
  );
  const go = values['without-go'] ? undefined : inGo(folder);
  const [rows, starts]: [(readonly string[])[], (readonly string[])[]] = [
    [HEAD],
    [['', 'START CPU', 'AT REST', 'PEAK']],
  ];
  for (const [name, all] of Map.groupBy(measured, (one) => one.name)) {
    const start = [await functionOf(name, folder, values.profile), bySdk, ...(go === undefined ? [] : [go])];
    const targets: Target[] = [];
    for (const one of start) targets.push(await one());
    const rest = targets.map((target) => target.memory('VmRSS'));
    for (const what of all) rows.push(await measure(targets, what, rounds));
    for (const [i, target] of targets.entries()) {
      const mebibytes = [rest[i] ?? 0, target.memory('VmHWM')].map((size) => `${Math.round(size)} MiB`);
      if (i === 0 || starts.length < targets.length + 1)
        starts.push([target.name, `${shown(target.start)} ms`, ...mebibytes]);
      target.stop();
    }
  }
  console.log(`milliseconds of CPU per request, median of ${rounds} rounds\n`);
  console.log(table(rows).join('\n'));
  console.log(`\n${table(starts).join('\n')}`);
});
