/** Faults that show on the host after its first boot by the real cloud-init and the real Ignition. */
import { HANDED_OVER_PATH } from '#lib/api/contracts/payload.ts';
import { CERTIFICATE } from '../../support/everything.ts';
import type { Boot } from '../scratch-host.ts';
import type { Case } from './case.ts';
import { bootOf, DISK, FORMATS, type Format, type Host, lineOf, noHost, outcomeOf, programOf } from './host.ts';

interface OnHost {
  readonly name: string;
  readonly formats?: readonly Format[];
  readonly host: Omit<Host, 'format'>;
  readonly find?: (boot: Boot) => string;
  readonly now: string;
  readonly before: string;
}

function onHost({ name, formats = FORMATS, host, find = outcomeOf, now, before }: OnHost): readonly Case[] {
  return formats.map((format) => ({
    name,
    judge: programOf(format),
    missing: () => noHost(format),
    find: async (code) => find(await bootOf(code, { format, ...host })),
    now,
    before,
  }));
}

const modules = (name: string, provisioning: OnHost['host']['asked']['provisioning'], failed: string): OnHost => ({
  name,
  formats: ['cloud-init'],
  host: { asked: { provisioning: provisioning ?? {} } },
  now: `becomes no node: ${failed} failed`,
  before: 'becomes a node',
});

const MOTD = { path: '/etc/motd.d/1', content: 'a\n' };
const WITHOUT_TRUST = { 'cloud-init': { bootcmd: [['rm', '/usr/sbin/update-ca-certificates']] } };
const PACKED = 'H4sIAAAAAAACAytITM5OTeECAEPgQS8HAAAA';

/** As if RKE2 were in the image, and its server had signed the certificate of the kubelet. */
const RKE2_IN_IMAGE = `
mkdir -p /usr/local/bin /var/lib/rancher/rke2/agent
printf '#!/bin/sh\\necho "rke2 version v1.35.4+rke2r1 (fake)"\\n' >/usr/local/bin/rke2
chmod 755 /usr/local/bin/rke2
echo fake >/var/lib/rancher/rke2/agent/client-kubelet.crt`;

const EACH: readonly OnHost[] = [
  modules('a user that cannot be created', { groups: [{ name: 'ops' }], users: [{ name: 'ops' }] }, 'users[0]'),
  modules('a package that does not exist', { packages: ['no-such-package'] }, 'packages[0]'),
  modules('a time zone that does not exist', { timezone: 'Europe/Nowhere' }, 'timezone'),
  modules(
    'a file of an unknown group, whose user is created on first boot',
    { users: [{ name: 'ops' }], files: [{ ...MOTD, owner: 'ops:nobody-else' }] },
    'files[0]',
  ),
  {
    ...modules('a file of an unknown group', { files: [{ ...MOTD, owner: 'root:nobody-else' }] }, 'files[0]'),
    // It is written before the script: cloud-init stopped there, and lost the script, too.
    before: 'becomes no node: nothing says why',
  },
  modules(
    'a certificate that nothing adds to the trusted ones',
    { caCertificates: [CERTIFICATE], raw: WITHOUT_TRUST },
    'caCertificates[0]',
  ),
  {
    name: 'a user and a group etcd, and four sysctls, for the CIS profile of RKE2',
    host: {
      asked: { kind: 'init', provider: 'rke2', config: { profile: 'cis', install: 'Skip' } },
      before: RKE2_IN_IMAGE,
      files: ['/etc/passwd', '/etc/group', '/etc/sysctl.d/50-slipway-rke2.conf'],
    },
    find: (boot) => {
      const users = ['/etc/passwd', '/etc/group'].filter((path) => lineOf(boot, path, 'etcd').length > 0);
      const set = boot.calls.filter((call) => /^sysctl .*50-slipway-rke2\.conf$/.test(call)).length;
      const lines = String(boot.files.get('/etc/sysctl.d/50-slipway-rke2.conf')?.bytes ?? '').match(/^\S+ = /gm);
      return `${outcomeOf(boot)}; etcd in ${users.join(' and ') || 'no file'}; ${set === 1 ? (lines?.length ?? 0) : 0} sysctls`;
    },
    now: 'becomes a node; etcd in /etc/passwd and /etc/group; 4 sysctls',
    before: 'becomes a node; etcd in no file; 0 sysctls',
  },
  {
    name: 'anything at all on an image that reads specification 2.3',
    formats: ['ignition-2.3'],
    host: { asked: {} },
    now: 'becomes a node',
    // Its Ignition unpacks no file of the data.
    before: 'becomes no node',
  },
  {
    name: 'three partitions',
    formats: ['cloud-init'],
    host: {
      asked: {
        provisioning: {
          disks: [{ device: DISK, partitions: [{ label: 'etcd', sizeMiB: 32 }, { sizeMiB: 64 }, { label: 'data' }] }],
        },
      },
    },
    find: (boot) =>
      `${outcomeOf(boot)}; ${boot.partitions.map((one) => one.replaceAll(/ \d+(?= |$)/g, '')).join(', ')}`,
    now: 'becomes a node; 1 etcd, 2, 3 data',
    before: 'refused: spec.provisioning.disks[0].partitions[0].sizeMiB: cloud-init cannot express it',
  },
  {
    name: 'uid, primary group, home directory, expiry and lock of a user',
    host: {
      asked: {
        provisioning: {
          groups: [{ name: 'app', gid: 1500 }],
          users: [
            {
              name: 'agent',
              uid: 1501,
              primaryGroup: 'app',
              homeDir: '/var/lib/agent',
              system: true,
              expires: '2100-01-01',
              passwordHash: '$6$fake$locked',
              lockPassword: true,
            },
          ],
        },
      },
      files: ['/etc/passwd', '/etc/shadow'],
    },
    find: (boot) => {
      const [, , uid, gid, , home] = lineOf(boot, '/etc/passwd', 'agent');
      const [, hash, , , , , , days] = lineOf(boot, '/etc/shadow', 'agent');
      return `${outcomeOf(boot)}; ${[uid, gid, home, hash, days].join(':')}`;
    },
    now: `becomes a node; 1501:1500:/var/lib/agent:!$6$fake$locked:${Date.UTC(2100, 0, 1) / 86_400_000}`,
    before: 'refused: spec.provisioning.users[0].expires: unknown field',
  },
  {
    name: 'a packed file with setuid, and one with the sticky bit',
    host: {
      asked: {
        provisioning: {
          files: [
            { path: '/opt/packed', content: PACKED, encoding: 'gzip+base64', mode: '4755' },
            { path: '/opt/sticky', content: 'a', mode: '1644' },
          ],
        },
      },
      files: ['/opt/packed', '/opt/sticky'],
    },
    find: (boot) =>
      [
        outcomeOf(boot),
        ...['/opt/packed', '/opt/sticky'].map(
          (path) => `${boot.files.get(path)?.mode} ${String(boot.files.get(path)?.bytes).trim()}`,
        ),
      ].join('; '),
    now: 'becomes a node; 4755 packed; 1644 a',
    before: 'refused: spec.provisioning.files[0].encoding: "gzip+base64" is not accepted',
  },
  {
    name: 'join secrets of handed-over data, after the boot',
    formats: ['cloud-init'],
    host: { asked: {}, handedOver: HANDED_OVER_PATH },
    find: (boot) =>
      `${outcomeOf(boot)}; left in ${boot.holders.filter((path) => path !== '/root/kubeadm-was-told').join(' and ') || 'no file'}`,
    now: 'becomes a node; left in no file',
    before: 'becomes a node; left in /run/cloud-init/instance-data-sensitive.json',
  },
  {
    name: 'the boot after one whose post step failed',
    host: {
      asked: { provisioning: { commands: { post: ['[ -e /root/mended ]'] } } },
      after: 'touch /root/mended; /bin/sh /etc/slipway/bootstrap.sh',
    },
    find: (boot) => {
      const joins = boot.calls.filter((call) => call.startsWith('kubeadm join')).length;
      const isNode = outcomeOf(boot) === 'becomes a node';
      return `${isNode ? 'becomes a node' : (/^sed: .*$/m.exec(boot.output)?.[0] ?? outcomeOf(boot))}; kubeadm join ran ${joins} times`;
    },
    now: 'becomes a node; kubeadm join ran 1 times',
    before: "sed: can't read /etc/kubernetes/kubeadm.yaml: No such file or directory; kubeadm join ran 1 times",
  },
];

export const ON_HOSTS: readonly Case[] = EACH.flatMap(onHost);
