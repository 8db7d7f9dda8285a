/** Shells as validators of the first-boot script: any sh can parse it, and shellcheck has no finding. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached, type Found } from './cache.ts';
import { isInstalled, runCommand } from './run.ts';

/** The output of sh without running it; undefined when it can be parsed. */
export function syntaxProblem(script: string): string | undefined {
  const { ok, output } = runCommand('sh', ['-n'], { input: script });
  return ok ? undefined : output;
}

export function shellcheck(): Found {
  return isInstalled('shellcheck') ? { path: 'shellcheck' } : cached('shellcheck', 'usr/bin/shellcheck');
}

/** SC2016: commands are quoted on purpose, because each has its own shell. */
const OPTIONS = ['--shell=sh', '--severity=style', '--exclude=SC2016'];

/** The output of shellcheck; undefined when it has no finding. */
export function shellcheckProblem(path: string, script: string): string | undefined {
  const { ok, output } = runCommand(path, [...OPTIONS, '-'], { input: script });
  return ok ? undefined : output;
}

/** The same for many scripts in one run, each with its name. */
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
