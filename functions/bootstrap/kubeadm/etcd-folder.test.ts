/** kubeadm refuses a folder for etcd that is not empty, which the root of a new ext4 is not. */
import { expect, test } from 'vitest';
import { aBootstrappedCluster, firstBoot, machineOf } from '../../../test/support/first-boot.ts';

const EMPTYING = /^rmdir .*lost\+found/;

test.for([
  {
    kind: 'init',
    path: '/var/lib/etcd',
    dataDir: undefined,
    empties: ['rmdir /var/lib/etcd/lost+found 2>/dev/null || :'],
  },
  {
    kind: 'control-plane',
    path: '/srv//etcd/',
    dataDir: '/srv/etcd',
    empties: ['rmdir /srv/etcd/lost+found 2>/dev/null || :'],
  },
  { kind: 'init', path: '/srv', dataDir: '/srv/etcd', empties: [] },
  { kind: 'worker', path: '/var/lib/etcd', dataDir: undefined, empties: [] },
] as const)('$kind with a disk at $path and etcd in $dataDir: $empties', async ({ kind, path, dataDir, empties }) => {
  const etcd = dataDir === undefined ? {} : { etcd: { dataDir } };
  const cluster = await aBootstrappedCluster({ initialized: kind !== 'init', spec: { bootstrap: { config: etcd } } });
  const provisioning = { mounts: [{ device: '/dev/sdb', path }] };
  const { plan } = await firstBoot(cluster, machineOf(kind, { provisioning }, kind === 'worker' ? {} : etcd));
  expect(plan.commands.pre.filter((command) => EMPTYING.test(command))).toEqual(empties);
});
