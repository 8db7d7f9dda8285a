/** Settings of a host, the same in both kinds. */
import type { JsonObject } from '#lib/api/json.ts';
import { ACCOUNTS } from './accounts.ts';
import { CERTIFICATES } from './certificates.ts';
import { FILES } from './files.ts';
import { host } from './input.ts';
import { KERNEL } from './kernel.ts';

const mount = (path: string): JsonObject => host({ mounts: [{ device: '/dev/sdb1', path }] });

export const HOST: Readonly<Record<string, JsonObject>> = {
  ...FILES,
  ...ACCOUNTS,
  ...KERNEL,
  ...CERTIFICATES,
  'a mount over the root': mount('/'),
  'a mount over /etc': mount('/etc'),
  'a mount over /usr': mount('/usr'),
  'a mount over /boot': mount('/boot'),
  'a mount over /lib': mount('/lib'),
  'a mount over /bin': mount('/bin'),
  'a mount over /sbin': mount('/sbin'),
  'a mount below /run': mount('/run/x'),
  'a mount with a blank': mount('/data x'),
  'a mount of a device that is none': host({ mounts: [{ device: 'sdb', path: '/data' }] }),
  'two mounts on one folder': host({
    mounts: [
      { device: '/dev/sdb1', path: '/data' },
      { device: '/dev/sdc1', path: '/data' },
    ],
  }),
  'an address of a host with a number too large': host({ hosts: [{ address: '10.0.0.256', names: ['a'] }] }),
  'an address of a host that is a name': host({ hosts: [{ address: 'db', names: ['a'] }] }),
  'an address of a host with colons only': host({ hosts: [{ address: ':::', names: ['a'] }] }),
  'a host name with a blank': host({ hosts: [{ address: '10.0.0.9', names: ['a b'] }] }),
  'a host name with two dots': host({ hosts: [{ address: '10.0.0.9', names: ['db..example.com'] }] }),
  'a host name that is an address': host({ hosts: [{ address: '10.0.0.9', names: ['10.0.0.8'] }] }),
  'a host without names': host({ hosts: [{ address: '10.0.0.9', names: [] }] }),
  'a unit without a kind': host({ units: [{ name: 'node-exporter' }] }),
  'a unit twice': host({ units: [{ name: 'a.service' }, { name: 'a.service' }] }),
  'a drop-in without .conf': host({ units: [{ name: 'a.service', dropIns: [{ name: 'x', contents: 'y' }] }] }),
  'a disk that is no device': host({ disks: [{ device: 'sdb', partitions: [{}] }] }),
  'a disk twice': host({
    disks: [
      { device: '/dev/sdb', partitions: [{}] },
      { device: '/dev/sdb', partitions: [{}] },
    ],
  }),
  'a partition that is the rest of a disk, and another': host({
    disks: [{ device: '/dev/sdb', partitions: [{}, {}] }],
  }),
  'two partitions of one name': host({
    disks: [{ device: '/dev/sdb', partitions: [{ label: 'a', sizeMiB: 9 }, { label: 'a' }] }],
  }),
  'a filesystem of an unknown kind': host({ filesystems: [{ device: '/dev/sdb1', format: 'zfs' }] }),
  'a swap file without a size': host({ swap: { path: '/swap' } }),
  'a package that looks like an option': host({ packages: ['--force-yes'] }),
  'a package of two words': host({ packages: ['a b'] }),
  'a time server of two words': host({ ntp: { servers: ['a b'] } }),
  'a time server with a port': host({ ntp: { servers: ['time.example.com:123'] } }),
  'a time server that is nearly an address': host({ ntp: { servers: ['300.1.1.1'] } }),
  'a time zone with a dot': host({ timezone: '../etc/passwd' }),
  'an empty command': host({ commands: { pre: [''] } }),
  'a proxy without a scheme': host({ proxy: { http: 'proxy:3128' } }),
  'a proxy with a port too large': host({ proxy: { http: 'http://ops:hunter2@proxy:99999' } }),
  'a proxy without a host': host({ proxy: { http: 'http:///proxy' } }),
  'no proxy for a block that is none': host({ proxy: { http: 'http://proxy:3128', none: ['10.0.0.0/33'] } }),
  'no proxy for a URL': host({ proxy: { http: 'http://proxy:3128', none: ['http://example.com'] } }),
  'a registry with a port too large': host({
    registries: [{ host: 'docker.io:99999', mirrors: ['https://m.example.com'] }],
  }),
  'a mirror with a port too large': host({
    registries: [{ host: 'docker.io', mirrors: ['https://m.example.com:99999'] }],
  }),
  'a registry with a scheme': host({ registries: [{ host: 'https://docker.io', mirrors: ['https://m.example.com'] }] }),
  'a registry without mirrors': host({ registries: [{ host: 'docker.io', mirrors: [] }] }),
  'kernel arguments that cloud-init cannot set': host({ kernelArguments: ['quiet'] }),
  'raw fields of another format': host({ raw: { ignition: { x: 1 } } }),
  'a format in capital letters': host({ format: 'Cloud-Init' }),
  'a format that nobody writes': host({ format: 'clod-init' }),
  'a format that kubeadm cannot use: talos': host({ format: 'talos' }),
  'a format that kubeadm cannot use: nodeadm': host({ format: 'nodeadm' }),
  'a format that kubeadm cannot use: bottlerocket': host({ format: 'bottlerocket' }),
  'a format for Windows': host({ format: 'cloudbase-init' }),
  'packages with Ignition': host({ format: 'ignition', packages: ['htop'] }),
  'a typo in the provisioning': host({ sysctl: {} }),
};
