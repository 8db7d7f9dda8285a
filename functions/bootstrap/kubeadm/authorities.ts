/** What kubeadm's clusters are made of, and where its files look for it. */
import type { CarriedPart } from '../carried.ts';
import { authorityPart, type Part, serviceAccountPart, textPart } from '../parts.ts';
import { newToken, TOKEN } from '../pki/token.ts';

export const CA = authorityPart('ca', 'ca', 'kubernetes');

export const CARRIED: readonly CarriedPart[] = [
  { part: CA, cert: 'ca.crt', key: 'ca.key' },
  { part: authorityPart('etcd-ca', 'etcd', 'etcd-ca'), cert: 'etcd/ca.crt', key: 'etcd/ca.key' },
  {
    part: authorityPart('proxy-ca', 'proxy', 'front-proxy-ca'),
    cert: 'front-proxy-ca.crt',
    key: 'front-proxy-ca.key',
  },
  { part: serviceAccountPart('sa', 'sa'), cert: 'sa.pub', key: 'sa.key' },
];

export const TOKEN_PART = textPart({
  key: 'token',
  suffix: 'token',
  field: 'token',
  make: newToken,
  accepts: TOKEN,
  words: 'six characters, a dot and sixteen characters',
});

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [...CARRIED.map(({ part }) => part), TOKEN_PART];
