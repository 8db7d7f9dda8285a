/** What k0s' clusters are made of, and where its files look for it. */
import type { CarriedPart } from '../carried.ts';
import { authorityPart, type Part, serviceAccountPart, textsPart } from '../parts.ts';
import { newToken, TOKEN } from '../pki/token.ts';

// The names are k0s' own: it renews certificates whose issuer is called so, and leaves others to run out.
export const CA = authorityPart('ca', 'ca', 'kubernetes-ca');

export const CARRIED: readonly CarriedPart[] = [
  { part: CA, cert: 'ca.crt', key: 'ca.key' },
  { part: authorityPart('etcd-ca', 'etcd', 'etcd-ca'), cert: 'etcd/ca.crt', key: 'etcd/ca.key' },
  {
    part: authorityPart('proxy-ca', 'proxy', 'kubernetes-front-proxy-ca'),
    cert: 'front-proxy-ca.crt',
    key: 'front-proxy-ca.key',
  },
  { part: serviceAccountPart('sa', 'sa'), cert: 'sa.pub', key: 'sa.key' },
];

/** What a token lets its bearer join as. */
export type TokenRole = 'controller' | 'worker';

export const TOKENS = textsPart({
  key: 'token',
  suffix: 'token',
  fields: ['controller', 'worker'] satisfies readonly TokenRole[],
  make: newToken,
  accepts: TOKEN,
  words: 'six characters, a dot and sixteen characters',
});

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [...CARRIED.map(({ part }) => part), TOKENS];
