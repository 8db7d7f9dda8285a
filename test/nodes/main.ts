/**
 * npm run e2e:nodes: first-boot data from the functions boots real machines (systemd, cloud-init, containerd, kubelet,
 * kubeadm or k3s) as containers on this host. It stops everything that it starts.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '#lib/api/errors.ts';
import { MissingError } from '../e2e/binaries/find.ts';
import { Processes } from '../e2e/lab/processes.ts';
import type { Case } from './cases/case.ts';
import { claimed } from './claim/claimed.ts';
import { CACHE } from './image/cache.ts';
import type { Distribution } from './distributions/distribution.ts';
import { k3s } from './distributions/k3s.ts';
import { kubeadm } from './distributions/kubeadm.ts';
import { tool } from './image/tools.ts';
import { type Lab, makeLab } from './lab/lab.ts';
import { needs } from './needs.ts';
import { machineTable, type Outcome, outcomeTable } from './report/table.ts';

const HELP = `npm run e2e:nodes -- [options]

Boots machines on this host – a control plane, one that joins it, a worker – from the first-boot data that the functions
make of a claim in test/nodes/distributions, and looks whether they are what was claimed. The image they boot is
made once, from Debian's packages and Go modules, into .cache/nodes.

  --cluster  kubeadm (default), or k3s, which must be built before: --cluster k3s --build, about 15 minutes
  --build    only make the image
  --case     only this case, after the machines have booted; may be repeated
  --hold     leave the machines running afterwards, until Ctrl-C
  -o json    the result as JSON instead of tables
  --help     this text

Exit codes: 0 all passed · 1 a machine or a case failed · 2 cannot run on this host, or usage
`;

const DISTRIBUTIONS: readonly Distribution[] = [kubeadm, k3s];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      cluster: { type: 'string', default: kubeadm.name },
      build: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      hold: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o', default: 'text' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!['text', 'json'].includes(values.output))
    throw new TypeError(`cannot accept -o "${values.output}"; accepted: text, json`);
  const distribution = DISTRIBUTIONS.find(({ name }) => name === values.cluster);
  if (distribution === undefined)
    throw new TypeError(`cannot accept --cluster "${values.cluster}"; accepted: ${named(DISTRIBUTIONS)}`);
  const cases = chosen(values.case, distribution);
  needs();
  mkdirSync(CACHE, { recursive: true });
  tool('systemd-nspawn');
  if (values.build) distribution.build?.(tell);
  const imageOf = await distribution.images(tell);
  if (values.build) return 0;
  const claims = await claimed(distribution);
  tell(`functions made first-boot data for ${claims.machines.map(({ name }) => name).join(', ')}`);
  const folder = join(CACHE, 'runs', new Date().toISOString().replaceAll(':', '-').slice(0, 19));
  const lab = makeLab({ imageOf, folders: distribution.folders }, claims, new Processes(join(folder, 'logs')), folder);
  process.once('exit', () => lab.stop());
  const outcomes: Outcome[] = [];
  try {
    await distribution.boot(lab, tell);
    for (const each of cases) outcomes.push(await outcomeOf(each, lab));
    if (values.hold) await held(lab);
  } catch (thrown) {
    tell(`logs: ${folder}`);
    throw thrown;
  } finally {
    tell('stopping');
    lab.stop();
  }
  return report(lab, outcomes, values.output === 'json');
}

function chosen(names: readonly string[], { cases }: Distribution): readonly Case[] {
  const wrong = names.find((one) => !cases.some(({ name }) => name === one));
  if (wrong !== undefined) throw new TypeError(`cannot accept --case "${wrong}"; accepted: ${named(cases)}`);
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
}

function named(things: readonly { readonly name: string }[]): string {
  return things.map(({ name }) => name).join(', ');
}

async function outcomeOf(each: Case, lab: Lab): Promise<Outcome> {
  const { name } = each;
  const began = Date.now();
  const outcome = (result: Outcome['result'], note: string): Outcome => {
    const seconds = (Date.now() - began) / 1000;
    tell(`${name}: ${result} in ${Math.round(seconds)} s: ${note}`);
    return { name, result, seconds, note };
  };
  try {
    return outcome('passed', await each.run(lab));
  } catch (thrown) {
    return outcome('failed', messageOf(thrown).replaceAll(/\s+/g, ' '));
  }
}

async function held({ arrivals, folder }: Lab): Promise<void> {
  tell(`holding; logs are in ${folder}; look into a machine with:`);
  for (const { machine } of arrivals) tell(`  ${machine.entry}`);
  await new Promise(() => {
    setInterval(() => undefined, 60_000); // until Ctrl-C
  });
}

function report({ arrivals, folder }: Lab, outcomes: readonly Outcome[], json: boolean): number {
  const failed = outcomes.some(({ result }) => result === 'failed');
  if (failed) tell(`logs: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  const machines = arrivals.map(({ machine, seconds }) => ({ machine: machine.name, role: machine.part, seconds }));
  process.stdout.write(
    json
      ? `${JSON.stringify({ machines, cases: outcomes }, null, 2)}\n`
      : `\n${machineTable(machines)}\n${outcomeTable(outcomes)}`,
  );
  return failed ? 1 : 0;
}

const started = Date.now();

function tell(line: string): void {
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

try {
  process.exitCode = await main();
} catch (thrown) {
  const cannot = thrown instanceof MissingError || thrown instanceof TypeError;
  process.stderr.write(`e2e:nodes: ${messageOf(thrown)}\n`);
  process.exitCode = cannot ? 2 : 1;
}
process.exit(); // a command inside a machine may keep the process running
