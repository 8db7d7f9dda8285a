/**
 * kubeadm: its first control plane waits for the pod network of the claim, and the others for provider-node. The claim
 * gets the next minor version: a control plane of it joins, and then a worker of the version before.
 */
import { join } from 'node:path';
import { KUBEADM_CASES } from '../cases/suite.ts';
import { kubeadmImages } from '../image/kubeadm.ts';
import { OLD } from '../image/programs.ts';
import { bringAddOns, waitsForNetwork } from '../lab/add-ons.ts';
import { haveJoined, letJoin } from '../lab/provider-node.ts';
import type { Distribution } from './distribution.ts';

/** What provider-node may do in the cluster, as whoever makes a cluster applies it. */
const ROLES = join(import.meta.dirname, '../../../docs/install/workload-cluster.yaml');

export const kubeadm: Distribution = {
  name: 'kubeadm',
  claims: join(import.meta.dirname, 'kubeadm.yaml'),
  before: OLD.version,
  images: kubeadmImages,
  folders: {
    containerd: '/var/lib/containerd',
    kubelet: '/var/lib/kubelet',
    etcd: '/var/lib/etcd',
    log: '/var/log',
  },
  async boot(lab, log) {
    const first = lab.boot(lab.one('first control plane'), log);
    lab.waited = await waitsForNetwork(lab, first);
    log(`${first.name} waits for a pod network; provider-kubernetes applies the add-ons …`);
    await bringAddOns(lab);
    await lab.arrive(first, log);
    await lab.kubectl('apply', '--filename', ROLES);
    // The others join by their own tokens, which it admits.
    const others = [lab.one('joining control plane'), lab.one('worker')];
    const provider = await letJoin(lab, others);
    // The worker is last: by then kubeadm finds a newer version than its own in the cluster.
    for (const machine of others) await lab.arrive(lab.boot(machine, log), log);
    await haveJoined(lab, others, provider);
  },
  cases: KUBEADM_CASES,
};
