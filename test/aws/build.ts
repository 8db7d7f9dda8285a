/** Builds what is missing into .cache/aws; each step says what it does, and how long it took. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MissingError } from '../e2e/binaries/find.ts';
import { CACHE, MOTO_FOLDER, MOTO_VERSION, PROVIDER, PROVIDER_VERSION, PYTHON } from './parts.ts';
import { buildProvider } from './provider/build.ts';

export function built(tell: (line: string) => void): void {
  mkdirSync(CACHE, { recursive: true });
  step(`moto ${MOTO_VERSION}`, join(MOTO_FOLDER, 'complete'), tell, makeMoto);
  step(`provider-aws ${PROVIDER_VERSION}`, PROVIDER.program, tell, () => buildProvider(tell));
}

function step(what: string, file: string, tell: (line: string) => void, build: () => void): void {
  if (existsSync(file)) return;
  const began = Date.now();
  tell(`building ${what} …`);
  build();
  tell(`built ${what} in ${Math.round((Date.now() - began) / 1000)} s`);
}

function makeMoto(): void {
  run('python3', ['-m', 'venv', MOTO_FOLDER]);
  run(PYTHON, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-input',
    '--requirement',
    join(import.meta.dirname, 'emulator/requirements.txt'),
  ]);
  writeFileSync(join(MOTO_FOLDER, 'complete'), '');
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8' });
  if (status === 0) return;
  const last = (stderr ?? error?.message ?? '').trim().split('\n').slice(-3).join(' ');
  throw new MissingError(`cannot run ${command} ${args.slice(0, 3).join(' ')}: ${last}`);
}
