/** Debian packages unpacked into the cache, with separate package lists: those of the system do not change. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './cache.ts';
import { runCommand } from './run.ts';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Undefined when the package is unpacked in the folder, otherwise the reason. */
export function fetchPackage(name: string, release: string, folder: string): string | undefined {
  const apt = join(CACHE, 'apt', release);
  for (const part of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, part), { recursive: true });
  mkdirSync(join(apt, `packages-${name}`), { recursive: true });
  writeFileSync(join(apt, 'sources'), `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${release} main\n`);
  const options = [
    `Dir::Etc::sourcelist=${join(apt, 'sources')}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option]);
  for (const command of [['update'], ['download', name]]) {
    const outcome = runCommand('apt-get', ['-q', ...options, ...command], { cwd: join(apt, `packages-${name}`) });
    if (!outcome.ok) return outcome.output.slice(-300);
  }
  const archive = readdirSync(join(apt, `packages-${name}`)).find((file) => file.endsWith('.deb'));
  if (archive === undefined) return `apt-get left no package ${name}`;
  mkdirSync(folder, { recursive: true });
  const unpacked = runCommand('dpkg-deb', ['-x', join(apt, `packages-${name}`, archive), folder]);
  return unpacked.ok ? undefined : unpacked.output;
}

/** A small Debian with cloud-init, as in cloud images, and the tools with which it creates partitions. */
export const ROOT = ['debian-root'];

const INSTALLED = ['cloud-init', 'sudo', 'e2fsprogs', 'fdisk', 'gdisk', 'ca-certificates'];

export function makeRoot(): string | undefined {
  const folder = join(CACHE, ...ROOT);
  const tool = join(CACHE, 'mmdebstrap');
  const problem = fetchPackage('mmdebstrap', 'bookworm', tool);
  if (problem !== undefined) return problem;
  const options = ['--quiet', '--variant=minbase', `--include=${INSTALLED.join(',')}`];
  const made = runCommand(join(tool, 'usr/bin/mmdebstrap'), [...options, 'bookworm', folder]);
  return made.ok ? undefined : made.output.slice(-300);
}

/** Ignition itself, which runs in an initramfs; the package puts it where dracut finds it. */
export const IGNITION = ['ignition', 'usr/lib/dracut/modules.d/30ignition/ignition'];

/** A Python environment with the modules that cloud-init imports. */
export const PYTHON = ['python', 'bin', 'python'];

const IMPORTS = ['configobj', 'jinja2', 'jsonpatch', 'jsonschema', 'oauthlib', 'pyserial', 'pyyaml', 'requests'];

export function makePython(): string | undefined {
  const folder = join(CACHE, 'python');
  const made = runCommand('python3', ['-m', 'venv', folder]);
  if (!made.ok) return made.output.slice(-300);
  const installed = runCommand(join(CACHE, ...PYTHON), ['-m', 'pip', 'install', '-q', ...IMPORTS]);
  return installed.ok ? undefined : installed.output.slice(-300);
}
