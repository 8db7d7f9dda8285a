/** Files of the distributions by Rancher, which differ in the name of their folder alone. */

interface RancherFile {
  readonly path: string;
  readonly role?: 'control-plane' | 'worker';
  readonly with?: 'registry' | 'certificate of a registry' | 'proxy';
}

/** On control planes, below /var/lib/rancher/<folder>/server/tls. */
const AUTHORITIES = [
  'server-ca.crt',
  'server-ca.key',
  'client-ca.crt',
  'client-ca.key',
  'request-header-ca.crt',
  'request-header-ca.key',
  'etcd/server-ca.crt',
  'etcd/server-ca.key',
  'etcd/peer-ca.crt',
  'etcd/peer-ca.key',
  'service.key',
];

/**
 * The files that first boot writes; those `with` a setting only where a claim has it.
 * @param server  name of the service of a control plane @param agent  that of a worker
 */
export function rancherFiles(folder: string, server: string, agent: string): readonly RancherFile[] {
  return [
    { path: `/etc/rancher/${folder}/config.yaml` },
    ...AUTHORITIES.map((file) => ({
      path: `/var/lib/rancher/${folder}/server/tls/${file}`,
      role: 'control-plane' as const,
    })),
    { path: `/etc/rancher/${folder}/registries.yaml`, with: 'registry' },
    { path: `/etc/rancher/${folder}/registry-<index>.crt`, with: 'certificate of a registry' },
    { path: proxyOf(server), with: 'proxy', role: 'control-plane' },
    { path: proxyOf(agent), with: 'proxy', role: 'worker' },
  ];
}

function proxyOf(service: string): string {
  return `/etc/systemd/system/${service}.service.d/90-slipway-proxy.conf`;
}
