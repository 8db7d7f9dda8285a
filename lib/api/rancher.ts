/** Files of the distributions by Rancher, which differ in the name of their folder alone. */

interface RancherFile {
  readonly path: string;
  readonly role?: 'control-plane';
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

/** The files that first boot writes, whatever their configuration is. */
export function rancherFiles(folder: string): readonly RancherFile[] {
  return [
    { path: `/etc/rancher/${folder}/config.yaml` },
    ...AUTHORITIES.map((file) => ({
      path: `/var/lib/rancher/${folder}/server/tls/${file}`,
      role: 'control-plane' as const,
    })),
  ];
}
