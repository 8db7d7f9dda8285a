/** The authorities of k0s clusters, and the paths of their files. */
import { kubernetesAuthorities } from '../carried.ts';
import { authorityPart, type Part } from '../parts.ts';

// These names are fixed by k0s: it renews certificates whose issuer has this name, and lets others expire.
export const CA = authorityPart('ca', 'ca', 'kubernetes-ca');

export const CARRIED = kubernetesAuthorities(CA, 'etcd-ca', 'kubernetes-front-proxy-ca');

/** The role that a token is valid for. */
export type TokenRole = 'controller' | 'worker';

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = CARRIED.map(({ part }) => part);
