/** A value for every field of a claim that an Ignition format supports. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_PROVISIONING } from '../../../test/support/everything.ts';
import { ignition, legacyIgnition } from './ignition.ts';

export type IgnitionFormat = 'ignition' | 'ignition-2.3';

export const EVERY_IGNITION: JsonObject = {
  ...EVERY_PROVISIONING,
  groups: [{ name: 'data', gid: 2000 }, { name: 'plain' }, { name: 'app', gid: 1500 }],
  units: [
    {
      name: 'exporter.service',
      contents: '[Service]\nExecStart=/bin/sleep infinity\n\n[Install]\nWantedBy=multi-user.target\n',
      enabled: true,
      dropIns: [{ name: '10-nice.conf', contents: '[Service]\nNice=5\n' }],
    },
    { name: 'containerd.service', dropIns: [{ name: '10-env.conf', contents: '[Service]\nEnvironment=A=b\n' }] },
  ],
  disks: [{ device: '/dev/nvme1n1', wipe: true, partitions: [{ label: 'etcd', sizeMiB: 1024 }, {}] }],
  filesystems: [{ device: '/dev/disk/by-partlabel/etcd', format: 'xfs', label: 'etcd', wipe: true }],
  mounts: [{ device: 'LABEL=etcd', path: '/var/lib/etcd-data', format: 'xfs', options: ['noatime', 'nofail'] }],
  swap: { path: '/var/swap-file', sizeMiB: 1024 },
  hosts: [{ address: '10.0.0.9', names: ['registry.example.com', 'registry'] }],
  kernelArguments: ['hugepages=512'],
  proxy: { http: 'http://user:fake@proxy.example.com:3128', https: 'http://proxy.example.com', none: ['.internal'] },
};

const RAW: Readonly<Record<IgnitionFormat, JsonObject>> = {
  ignition: { storage: { luks: [{ name: 'data', device: '/dev/nvme2n1', wipeVolume: true }] } },
  'ignition-2.3': { networkd: { units: [{ name: '00-eth.network', contents: '[Match]\nName=eth0\n' }] } },
};

const LIMITS = { ignition: ignition.limits, 'ignition-2.3': legacyIgnition.limits };

/** `spec.provisioning` without its format. */
export function everyFieldOf(format: IgnitionFormat): JsonObject {
  const { format: _format, ...fields } = EVERY_IGNITION;
  const said = Object.entries(fields).filter(([name]) => !(name in LIMITS[format]));
  return { ...Object.fromEntries(said), raw: { [format]: RAW[format] } };
}
