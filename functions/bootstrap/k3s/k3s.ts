/** k3s: one program, started as a server or as an agent; joining machines use the port of the Kubernetes API. */
import type { Distribution, Role } from '../rancher/distribution.ts';
import { rancher } from '../rancher/rancher.ts';
import { K3S_READS } from './rules.ts';

const K3S: Distribution = {
  ...K3S_READS,
  joinPort: (apiPort) => apiPort,
  unit: (role) => (role === 'control-plane' ? 'k3s' : 'k3s-agent'),
  // Without it, the datastore is a file that no second server can share.
  start: { 'cluster-init': true },
  external: (role, settings) => ({
    'kubelet-arg': ['cloud-provider=external', ...listIn(settings, 'kubelet-arg')],
    // The cloud then handles Services of type LoadBalancer; a second controller would conflict.
    ...(role === 'control-plane'
      ? { 'disable-cloud-controller': true, disable: [...new Set(['servicelb', ...listIn(settings, 'disable')])] }
      : {}),
  }),
  install: (role, version, script) =>
    `INSTALL_K3S_VERSION=${version} INSTALL_K3S_SKIP_START=true INSTALL_K3S_EXEC=${command(role)} sh ${script}`,
  // The script creates the unit; the program is already installed.
  adopt: (role) =>
    `INSTALL_K3S_SKIP_DOWNLOAD=true INSTALL_K3S_SKIP_START=true INSTALL_K3S_EXEC=${command(role)} sh /opt/install.sh`,
};

export const k3s = rancher(K3S);

function command(role: Role): string {
  return role === 'control-plane' ? 'server' : 'agent';
}

function listIn(settings: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const value = settings[key];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
