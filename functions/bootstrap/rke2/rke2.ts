/**
 * RKE2: one service for servers and one for agents; machines join at the supervisor, on another port than the
 * Kubernetes API.
 */
import type { Distribution } from '../rancher/distribution.ts';
import { rancher } from '../rancher/rancher.ts';
import type { Rke2Config } from './config.ts';
import { RKE2_READS } from './rules.ts';
import { SUPERVISOR_PORT } from './traits.ts';

const RKE2: Distribution = {
  ...RKE2_READS,
  joinPort: () => SUPERVISOR_PORT,
  unit: (role) => (role === 'control-plane' ? 'rke2-server' : 'rke2-agent'),
  start: {},
  benchmark: (config) => (config as Rke2Config).profile,
  external: (role) => ({
    'cloud-provider-name': 'external',
    ...(role === 'control-plane' ? { 'disable-cloud-controller': true } : {}),
  }),
  install: (role, version, script) =>
    `INSTALL_RKE2_VERSION=${version} INSTALL_RKE2_TYPE=${role === 'control-plane' ? 'server' : 'agent'} sh ${script}`,
  adopt: () => undefined,
};

export const rke2 = rancher(RKE2);
