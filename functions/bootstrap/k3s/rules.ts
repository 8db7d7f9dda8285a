/** How k3s reads `spec.bootstrap.config`, and what it refuses of it. */
import { rancherRules } from '../rancher/rules.ts';
import { K3S_KEYS, K3sConfig } from './config.ts';

export const K3S_READS = { name: 'k3s', schema: K3sConfig, keys: K3S_KEYS };

export const k3sRules = rancherRules(K3S_READS);
