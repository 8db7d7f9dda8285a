/** kubeadm: its first control plane waits for the pod network of the claim, and the others for provider-node. */
import { join } from 'node:path';
import { KUBEADM_CASES } from '../cases/suite.ts';
import { kubeadmImage } from '../image/kubeadm.ts';
import { bringAddOns, waitsForNetwork } from '../lab/add-ons.ts';
import { setClusterVersion } from '../lab/cluster-version.ts';
import { haveJoined, letJoin } from '../lab/provider-node.ts';
import type { Distribution } from './distribution.ts';

/** Older than the version of the claim, and of the same minor version. */
const OLDER = 'v1.35.0';

/** What provider-node may do in the cluster, as whoever makes a cluster applies it. */
const ROLES = join(import.meta.dirname, '../../../docs/install/workload-cluster.yaml');

export const kubeadm: Distribution = {
  name: 'kubeadm',
  claims: join(import.meta.dirname, 'kubeadm.yaml'),
  image: kubeadmImage,
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
    // As if the claim had been edited since: there are no images of that version.
    await setClusterVersion(lab.kubectl, OLDER);
    await lab.kubectl('apply', '--filename', ROLES);
    // The others join by their own tokens, which it admits.
    const others = [lab.one('joining control plane'), lab.one('worker')];
    const provider = await letJoin(lab, others);
    await Promise.all(others.map((machine) => lab.arrive(lab.boot(machine, log), log)));
    await haveJoined(lab, others, provider);
  },
  cases: KUBEADM_CASES,
};
