/** What k0s' clusters are made of, and where its files look for it. */
import { kubernetesAuthorities } from '../carried.ts';
import { authorityPart, type Part, textsPart } from '../parts.ts';
import { BOOTSTRAP_TOKEN } from '../pki/token.ts';

// The names are k0s' own: it renews certificates whose issuer is called so, and leaves others to run out.
export const CA = authorityPart('ca', 'ca', 'kubernetes-ca');

export const CARRIED = kubernetesAuthorities(CA, 'etcd-ca', 'kubernetes-front-proxy-ca');

/** What a token lets its bearer join as. */
export type TokenRole = 'controller' | 'worker';

export const TOKENS = textsPart({
  key: 'token',
  suffix: 'token',
  fields: ['controller', 'worker'] satisfies readonly TokenRole[],
  ...BOOTSTRAP_TOKEN,
});

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [...CARRIED.map(({ part }) => part), TOKENS];
