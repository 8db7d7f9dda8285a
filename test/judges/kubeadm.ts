/** kubeadm as validator of its own configuration files: an unknown field, a wrong type or value is refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minor } from 'semver';
import { kubeadmFile, OLD_KUBEADM } from './build-kubeadm.ts';
import { SUPPORTED } from '../minors/supported.ts';
import { cached, type Found } from './cache.ts';
import { runCommand } from './run.ts';

/** The API of its configuration that kubeadm of a version reads as its own. */
export function apiOf(version: string): 'v1beta3' | 'v1beta4' {
  return minor(version) >= 31 ? 'v1beta4' : 'v1beta3';
}

/** The version of the kubeadm that judges files of a version: that of its minor version, if it is supported. */
export function judgeOf(version: string): string {
  if (apiOf(version) === 'v1beta3') return OLD_KUBEADM;
  return Object.values(SUPPORTED).find((one) => minor(one) === minor(version)) ?? SUPPORTED['1.35'];
}

export function kubeadmOf(version: string): Found {
  return cached('bin', kubeadmFile(version));
}

/** The output of `kubeadm config validate`; undefined when it accepts the file without a message. */
export function kubeadmProblem(kubeadm: string, config: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  try {
    const path = join(folder, 'kubeadm.yaml');
    writeFileSync(path, config);
    const { ok, output } = runCommand(kubeadm, ['config', 'validate', '--config', path]);
    return ok && output === 'ok' ? undefined : output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
