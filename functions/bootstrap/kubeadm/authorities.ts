/** What kubeadm's clusters are made of, and where its files look for it. */
import { kubernetesAuthorities } from '../carried.ts';
import { authorityPart, type Part, textPart } from '../parts.ts';
import { BOOTSTRAP_TOKEN } from '../pki/token.ts';

export const CA = authorityPart('ca', 'ca', 'kubernetes');

export const CARRIED = kubernetesAuthorities(CA, 'etcd-ca', 'front-proxy-ca');

export const TOKEN_PART = textPart({ key: 'token', suffix: 'token', field: 'token', ...BOOTSTRAP_TOKEN });

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [...CARRIED.map(({ part }) => part), TOKEN_PART];
