/**
 * Builds missing programs from the pinned Go modules, once, into .cache/e2e; each step prints what it does and how long
 * it took.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_MODULE, type Program, PROGRAMS } from './catalog.ts';
import {
  type Found,
  MissingError,
  binaries,
  built,
  builtManifests,
  find,
  findManifests,
  goFolder,
  missing,
} from './find.ts';

/** All programs of the lab. Throws MissingError, in one line, if one is not available. */
export function binariesBuilt(progress: (line: string) => void): Found {
  const absent = missing();
  const noManifests = findManifests() === undefined;
  if (absent.length === 0 && !noManifests) return binaries();
  const names = [...absent.map(({ name }) => name), ...(noManifests ? ["Crossplane's chart"] : [])].join(', ');
  if (spawnSync('go', ['version']).status !== 0)
    throw new MissingError(`${names} not found, and no Go to build them; put them on PATH or into SLIPWAY_E2E_BIN`);
  const wanted = PROGRAMS.filter((program) =>
    program.name === 'crossplane-chart' ? noManifests && find(program) === undefined : find(program) === undefined,
  );
  progress(`building ${names} from their Go modules: about 10 minutes the first time, on two cores`);
  for (const [index, program] of wanted.entries()) {
    const started = Date.now();
    progress(`  ${index + 1}/${wanted.length} ${program.name} …`);
    build(program);
    progress(`  ${index + 1}/${wanted.length} ${program.name} built in ${seconds(started)} s`);
  }
  if (noManifests) makeManifests();
  return binaries();
}

const chartProgram = PROGRAMS.find(({ name }) => name === 'crossplane-chart') as Program;

/** Builds one program into the cache. Throws MissingError, in one line, if that is not possible. */
export function build(program: Program): void {
  const target = built(program);
  mkdirSync(dirname(target), { recursive: true });
  const flags = ['-s -w', ...(program.settings ?? []).map((setting) => `-X ${setting}`)].join(' ');
  // It has another name until it is complete, so that an interrupted build does not look complete.
  const draft = `${target}.part`;
  const env = program.experiment === undefined ? {} : { GOEXPERIMENT: program.experiment };
  go(program.module, ['build', '-trimpath', '-ldflags', flags, '-o', draft, program.goPackage], env);
  renameSync(draft, target);
}

function makeManifests(): void {
  const target = builtManifests();
  const source = join(go('crossplane', ['list', '-m', '-f', '{{.Dir}}', CORE_MODULE]).trim(), 'cluster');
  mkdirSync(target, { recursive: true });
  for (const folder of ['crds', 'webhookconfigurations'])
    cpSync(join(source, folder), join(target, folder), { recursive: true });
  const chart = run(find(chartProgram) ?? built(chartProgram), [
    join(source, 'charts/crossplane'),
    'crossplane-system',
  ]);
  writeFileSync(join(target, 'chart.yaml'), chart);
}

function go(module: Program['module'], args: readonly string[], env: Environment = {}): string {
  return run('go', args, goFolder(module), env);
}

type Environment = Readonly<Record<string, string>>;

function run(command: string, args: readonly string[], cwd?: string, env: Environment = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly', ...env },
  });
  if (status === 0) return stdout;
  const last = stderr.trim().split('\n').slice(-3).join(' ');
  throw new MissingError(`cannot run ${command} ${args[0] ?? ''} ${args.at(-1) ?? ''}: ${last}`);
}

const seconds = (since: number): number => Math.round((Date.now() - since) / 1000);
