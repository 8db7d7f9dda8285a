/** How RKE2 reads `spec.bootstrap.config`, and what it refuses of it. */
import { rancherRules } from '../rancher/rules.ts';
import { RKE2_KEYS, Rke2Config } from './config.ts';

export const RKE2_READS = { name: 'rke2', schema: Rke2Config, keys: RKE2_KEYS };

export const rke2Rules = rancherRules(RKE2_READS);
