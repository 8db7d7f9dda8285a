/** Commands of pages in docs/, run unchanged, section by section. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '#lib/api/errors.ts';
import { ROOT } from '../binaries/find.ts';
import type { Lab } from '../lab/lab.ts';

export const INSTALL = 'docs/install.md';
export const UPGRADE = 'docs/upgrade.md';
export const RESTORE = 'docs/restore.md';
/** An address at which no server is running. */
const CREDENTIALS = '[default]\naws_access_key_id = FAKE\naws_secret_access_key = FAKE\n';

export function commandsOf(path: string, heading: string): readonly string[] {
  const page = readFileSync(join(ROOT, path), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`cannot find section "${heading}" in ${path}`);
  const blocks = [...section.matchAll(/^```sh\n(?<body>.*?)^```/gms)].map(({ groups }) => groups?.['body'] ?? '');
  const commands = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n')).filter((line) => line !== '');
  if (commands.length === 0) throw new Error(`section "${heading}" of ${path} has no command`);
  return commands;
}

/** Runs the commands of a section as a reader would, as administrator; returns the output of each. */
export async function follow(lab: Lab, path: string, heading: string): Promise<readonly string[]> {
  const printed: string[] = [];
  for (const command of commandsOf(path, heading)) printed.push(await run(lab, path, command));
  return printed;
}

/** Runs one command of a page. */
export async function run(lab: Lab, path: string, command: string): Promise<string> {
  const folder = readersFolder(lab);
  const env = {
    ...process.env,
    KUBECONFIG: lab.kubernetes.kubeconfig,
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    NO_COLOR: '1',
  };
  try {
    const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd: folder, env, timeout: 600_000 });
    return stdout;
  } catch (thrown) {
    const said = messageOf(thrown);
    throw new Error(`cannot follow ${path}, "${command}": ${said}`, { cause: thrown });
  }
}

/** Arguments that a page recommends for Crossplane, in the format of its chart. */
export function settingsOf(page: string): readonly string[] {
  const [, list] = /--set 'args=\{(?<list>[^}]+)\}'/.exec(readFileSync(join(ROOT, page), 'utf8')) ?? [];
  if (list === undefined) throw new Error(`${page} recommends no settings`);
  return list.split(',');
}

function readersFolder({ folder, binaries }: Lab): string {
  const reader = join(folder, 'reader');
  if (existsSync(reader)) return reader;
  mkdirSync(join(reader, 'bin'), { recursive: true });
  symlinkSync(binaries.kubectl, join(reader, 'bin/kubectl'));
  symlinkSync(binaries.crossplane, join(reader, 'bin/crossplane'));
  for (const name of ['docs', 'examples']) symlinkSync(join(ROOT, name), join(reader, name));
  writeFileSync(join(reader, 'aws-credentials.txt'), CREDENTIALS);
  return reader;
}
