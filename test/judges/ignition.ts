/** ignition-validate as judge of configurations, and systemd of the units in them. */
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

/** What it prints; undefined when that is nothing. A warning is a problem, too: Ignition would drop an unknown key. */
export function ignitionProblem(path: string, text: string): string | undefined {
  const { ok, output } = runCommand(path, ['-'], { input: text });
  return ok && output === '' ? undefined : output;
}

export function systemdAnalyze(): Found {
  return isInstalled('systemd-analyze')
    ? { path: 'systemd-analyze' }
    : { missing: 'systemd-analyze is not installed; on Debian: apt-get install systemd' };
}

/** What systemd-analyze verify says of each unit with its drop-ins; it exits well even then. */
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
