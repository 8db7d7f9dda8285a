/** Shells as judges of the first-boot script: any sh reads it, shellcheck has nothing to say. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached, type Found } from './cache.ts';
import { isInstalled, runCommand } from './run.ts';

/** What sh says without running it; undefined when it can be read. */
export function syntaxProblem(script: string): string | undefined {
  const { ok, output } = runCommand('sh', ['-n'], { input: script });
  return ok ? undefined : output;
}

export function shellcheck(): Found {
  return isInstalled('shellcheck') ? { path: 'shellcheck' } : cached('shellcheck', 'usr/bin/shellcheck');
}

/** SC2016: commands are quoted on purpose, for shells of their own. */
const OPTIONS = ['--shell=sh', '--severity=style', '--exclude=SC2016'];

/** What shellcheck says; undefined when it has no finding. */
export function shellcheckProblem(path: string, script: string): string | undefined {
  const { ok, output } = runCommand(path, [...OPTIONS, '-'], { input: script });
  return ok ? undefined : output;
}

/** The same of many scripts in one run, each at its place. */
export function shellcheckProblems(path: string, scripts: readonly string[]): readonly (string | undefined)[] {
  if (scripts.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  try {
    const files = scripts.map((script, index) => {
      writeFileSync(join(folder, `${index}.sh`), script);
      return `${index}.sh`;
    });
    const { ok, output } = runCommand(path, [...OPTIONS, '--format=gcc', ...files], { cwd: folder });
    const lines = output.split('\n');
    const said = files.map((file) => lines.filter((line) => line.startsWith(`${file}:`)).join('\n') || undefined);
    if (!ok && said.every((one) => one === undefined)) throw new Error(output);
    return said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
