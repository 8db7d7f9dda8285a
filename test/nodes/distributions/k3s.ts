/** k3s: it brings its own pod network, and its machines join by the tokens of the cluster. */
import { join } from 'node:path';
import { K3S_CASES } from '../cases/suite.ts';
import { k3sImage } from '../image/k3s.ts';
import { buildK3s } from '../image/k3s-program.ts';
import type { Distribution } from './distribution.ts';

export const k3s: Distribution = {
  name: 'k3s',
  claims: join(import.meta.dirname, 'k3s.yaml'),
  build: buildK3s,
  images: async (log) => {
    const image = await k3sImage(log);
    return () => image;
  },
  folders: { rancher: '/var/lib/rancher', kubelet: '/var/lib/kubelet', log: '/var/log' },
  async boot(lab, log) {
    const arrive = (part: Parameters<typeof lab.one>[0]): Promise<void> =>
      lab.arrive(lab.boot(lab.one(part), log), log);
    await arrive('first control plane');
    await Promise.all([arrive('joining control plane'), arrive('worker')]);
  },
  cases: K3S_CASES,
};
