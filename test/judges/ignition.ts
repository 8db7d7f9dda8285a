/** ignition-validate as validator of configurations, and systemd as validator of their units. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IgnitionText } from '../support/ignition.ts';
import { ignitionFile, type Specification } from './build-ignition.ts';
import { cached, type Found } from './cache.ts';
import { isInstalled, runCommand } from './run.ts';

export function ignitionOf(specification: Specification): Found {
  return cached('bin', ignitionFile(specification));
}

/**
 * Its output; undefined when there is none. A warning counts as an error, because Ignition would ignore an unknown key.
 */
export function ignitionProblem(path: string, text: string): string | undefined {
  const { ok, output } = runCommand(path, ['-'], { input: text });
  return ok && output === '' ? undefined : output;
}

export function systemdAnalyze(): Found {
  return isInstalled('systemd-analyze')
    ? { path: 'systemd-analyze' }
    : { missing: 'systemd-analyze is not installed; on Debian: apt-get install systemd' };
}

/** The output of systemd-analyze verify for each unit with its drop-ins; its exit code is 0 even with errors. */
export function unitProblems(path: string, units: IgnitionText['systemd']['units']): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  try {
    const whole = units.filter(({ contents }) => contents !== undefined);
    for (const { name, contents = '', dropins = [] } of whole) {
      writeFileSync(join(folder, name), contents);
      mkdirSync(join(folder, `${name}.d`));
      for (const dropin of dropins) writeFileSync(join(folder, `${name}.d`, dropin.name), dropin.contents);
    }
    return whole.flatMap(({ name }) => {
      const args = ['verify', '--man=no', '--recursive-errors=no', join(folder, name)];
      const { output } = runCommand(path, args, { env: { SYSTEMD_UNIT_PATH: `${folder}:` } });
      return output.split('\n').filter((line) => line !== '');
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
