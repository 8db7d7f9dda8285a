/**
 * npm run e2e:aws: the claims of examples/aws with the real provider-aws, on a real Crossplane and Kubernetes API, against
 * an emulated AWS, on this machine and without containers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '#lib/api/errors.ts';
import { binariesBuilt } from '../e2e/binaries/build.ts';
import { LATEST } from '../e2e/binaries/catalog.ts';
import { MissingError } from '../e2e/binaries/find.ts';
import { needs } from '../e2e/needs.ts';
import { fixedPortsAreFree, inOwnNetwork } from '../e2e/own-network.ts';
import { built } from './build.ts';
import { CASES } from './cases/suite.ts';
import { MOTO_VERSION, needsParts, PROVIDER_VERSION } from './parts.ts';

const HELP = `npm run e2e:aws -- [options]

Runs the packages in dist/ with provider-aws ${PROVIDER_VERSION}, cut down to the kinds that Slipway composes, against moto ${MOTO_VERSION}.
Build the packages first: npm run package.

  --build      only build what is missing into .cache/aws: about 9 minutes of two cores and 4 GB of memory the first time
  --case NAME  only this case and what it starts from; may be repeated: ${CASES.map(({ name }) => name).join(', ')}
  --hold       leave everything running afterwards, until Ctrl-C
  -o json      the result as JSON instead of a table
  --help       this text

Exit codes: 0 all passed · 1 a case failed, or dist/ is not of these sources · 2 cannot run on this machine, or usage
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      case: { type: 'string', multiple: true, default: [] },
      hold: { type: 'boolean', default: false },
      build: { type: 'boolean', default: false },
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
  const unknown = values.case.filter((name) => !CASES.some((each) => each.name === name));
  if (unknown.length > 0) throw new TypeError(`no case "${unknown.join('", "')}"; --help lists them`);
  if (values.build) {
    binariesBuilt(LATEST, tell);
    built(tell);
    return 0;
  }
  needsParts();
  needs(false);
  for (const line of binariesBuilt(LATEST, tell).foreign) tell(`using ${line}`);
  return run([
    ...(values.hold ? ['--hold'] : []),
    `-o=${values.output}`,
    ...values.case.map((name) => `--case=${name}`),
  ]);
}

/** In a network of its own, unless somebody wants to look around in it. */
async function run(args: readonly string[]): Promise<number> {
  const program = [process.execPath, join(import.meta.dirname, 'suite-main.ts'), ...args];
  const apart = args.includes('--hold') ? undefined : inOwnNetwork(program);
  if (apart === undefined) await fixedPortsAreFree();
  const [first = '', ...rest] = apart ?? program;
  const env = { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) };
  const child = spawn(first, rest, { stdio: ['ignore', 'inherit', 'inherit'], env });
  // A terminal sends Ctrl-C to the lab as well: this process waits until everything is stopped.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'close')) as readonly unknown[];
  return typeof code === 'number' ? code : 1;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  process.exitCode = await main();
} catch (thrown) {
  const cannot = thrown instanceof MissingError || thrown instanceof TypeError;
  process.stderr.write(`e2e:aws: ${messageOf(thrown)}\n`);
  process.exitCode = cannot ? 2 : 1;
}
