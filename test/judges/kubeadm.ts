/** kubeadm as validator of its own configuration files: an unknown field, a wrong type or value is refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeadmFile } from './build-kubeadm.ts';
import { cached, type Found } from './cache.ts';
import { runCommand } from './run.ts';

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
