/** kubeadm as judge of its own configuration files: an unknown field, a wrong type or value is refused. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kubeadmFile } from './build-kubeadm.ts';
import { cached, type Found } from './cache.ts';
import { type Outcome, runCommand } from './run.ts';

export function kubeadmOf(version: string): Found {
  return cached('bin', kubeadmFile(version));
}

/** What `kubeadm config validate` says; undefined when it accepts the file without a word. */
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

/**
 * Lets kubeadm make a control plane's certificates on the authorities it is given, in a scratch folder, and gives
 * back what it said: which authorities it used and what it signed with them.
 */
export function certificatesPhase(kubeadm: string, files: readonly KubeadmFile[]): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  try {
    for (const { path, bytes } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), path === CONFIG ? moved(bytes.toString(), folder) : bytes);
    }
    return runCommand(kubeadm, ['init', 'phase', 'certs', 'all', '--config', join(folder, CONFIG)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface KubeadmFile {
  readonly path: string;
  readonly bytes: Buffer;
}

const CONFIG = '/etc/kubernetes/kubeadm.yaml';

/** Another folder for certificates, and an address, so that the machine's own routes do not matter. */
function moved(config: string, folder: string): string {
  return config
    .replace('certificatesDir: ', `certificatesDir: ${folder}`)
    .replace('bindPort: ', 'advertiseAddress: 10.0.0.1\n  bindPort: ');
}
