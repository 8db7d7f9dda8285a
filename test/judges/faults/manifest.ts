/** The controller manager that kubeadm starts: its manifest, written by kubeadm below a folder. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ignitionFiles } from '../../support/ignition.ts';
import { kubeadmOf } from '../kubeadm.ts';
import { runCommand } from '../run.ts';
import { type Checkout, dataOf } from './checkout.ts';

const CONFIG = '/etc/kubernetes/kubeadm.yaml';
const MANIFEST = '/etc/kubernetes/manifests/kube-controller-manager.yaml';

interface Manifest {
  readonly spec: {
    readonly volumes: readonly { readonly hostPath?: { readonly path: string; readonly type?: string } }[];
  };
}

/** Folders below /usr that the kubelet makes for it, which images with Ignition cannot write. */
export async function madeBelowUsr(code: Checkout, format: string, version: string): Promise<string> {
  const { text } = await dataOf(code, { kind: 'init', version, provisioning: { format } });
  const config = ignitionFiles(text).find(({ path }) => path === CONFIG)?.bytes ?? '';
  const root = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  try {
    mkdirSync(dirname(join(root, CONFIG)), { recursive: true });
    writeFileSync(join(root, CONFIG), config);
    const kubeadm = kubeadmOf(version);
    const phase = ['init', 'phase', 'control-plane', 'controller-manager', '--rootfs', root, '--config', CONFIG];
    const { ok, output } = runCommand('path' in kubeadm ? kubeadm.path : '', phase);
    if (!ok) throw new Error(output);
    const { spec } = parse(readFileSync(join(root, MANIFEST), 'utf8')) as Manifest;
    const made = spec.volumes.flatMap(({ hostPath }) =>
      hostPath?.type === 'DirectoryOrCreate' ? [hostPath.path] : [],
    );
    const below = made.filter((path) => path.startsWith('/usr/'));
    return `makes ${below.join(', ') || 'nothing'} below /usr`;
  } finally {
    rmSync(root, { recursive: true });
  }
}
