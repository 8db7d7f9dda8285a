/** Shells as judges of the first-boot script: any sh reads it, shellcheck has nothing to say. */
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

/** What shellcheck says; undefined when it has no finding. SC2016: commands are quoted on purpose, for shells of their own. */
export function shellcheckProblem(path: string, script: string): string | undefined {
  const { ok, output } = runCommand(path, ['--shell=sh', '--severity=style', '--exclude=SC2016', '-'], {
    input: script,
  });
  return ok ? undefined : output;
}
