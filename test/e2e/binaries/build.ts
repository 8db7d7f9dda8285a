/**
 * Builds missing programs from the pinned Go modules, once, into .cache/e2e; each step prints what it does and how long
 * it took.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_MODULE, type CrossplaneVersion, type Folder, type Program, PROGRAMS, inVersion } from './catalog.ts';
import {
  type Found,
  MissingError,
  binaries,
  built,
  builtFolder,
  find,
  goFolder,
  missing,
  missingFolders,
} from './find.ts';

/** All programs of the lab. Throws MissingError, in one line, if one is not available. */
export function binariesBuilt(version: CrossplaneVersion, progress: (line: string) => void): Found {
  const absent = missing(version);
  const folders = missingFolders(version);
  if (absent.length === 0 && folders.length === 0) return binaries(version);
  const names = [...absent.map(({ name }) => name), ...folders.map(({ what }) => what)].join(', ');
  if (spawnSync('go', ['version']).status !== 0)
    throw new MissingError(`${names} not found, and no Go to build them; put them on PATH or into SLIPWAY_E2E_BIN`);
  const rendersChart = folders.some(({ source }) => source === CORE_MODULE);
  const wanted = PROGRAMS.filter(({ name }) => name !== 'crossplane-chart' || rendersChart)
    .map((program) => inVersion(program, version))
    .filter((program) => find(program) === undefined);
  progress(`building ${names} from their Go modules: about 10 minutes the first time, on two cores`);
  for (const [index, program] of wanted.entries()) {
    const started = Date.now();
    progress(`  ${index + 1}/${wanted.length} ${program.name} …`);
    build(program);
    progress(`  ${index + 1}/${wanted.length} ${program.name} built in ${seconds(started)} s`);
  }
  for (const folder of folders) fill(folder);
  return binaries(version);
}

/** Copies what belongs to a module besides its programs. */
export function fill(folder: Folder): void {
  if (folder.source === CORE_MODULE) makeManifests(folder);
  else copyPackage(folder);
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

function makeManifests(folder: Folder): void {
  const target = builtFolder(folder);
  const source = join(sourceOf(folder), 'cluster');
  mkdirSync(target, { recursive: true });
  for (const part of ['crds', 'webhookconfigurations'])
    cpSync(join(source, part), join(target, part), { recursive: true });
  const chart = run(find(chartProgram) ?? built(chartProgram), [
    join(source, 'charts/crossplane'),
    'crossplane-system',
  ]);
  writeFileSync(join(target, folder.last), chart);
}

function copyPackage(folder: Folder): void {
  const source = join(sourceOf(folder), 'package');
  for (const part of ['crds', folder.last])
    cpSync(join(source, part), join(builtFolder(folder), part), { recursive: true });
}

function sourceOf({ module, source }: Folder): string {
  return go(module, ['list', '-m', '-f', '{{.Dir}}', source]).trim();
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
