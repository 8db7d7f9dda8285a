/** The certificate authorities, the service-account key and the token of a cluster, each in a Secret of its own. */
import type { World } from '#lib/fn/world.ts';
import { type Algorithm, issueAuthority, issueServiceAccountKey } from '../pki/issue.ts';
import { pairProblem, type Pair } from '../pki/pem.ts';
import { newToken, TOKEN } from '../pki/token.ts';
import type { Data, OnceMade } from '../secrets.ts';

/** Composition resource names, the tails of object names, and where kubeadm looks for the files. */
export const PARTS = {
  ca: { suffix: 'ca', commonName: 'kubernetes', cert: 'ca.crt', key: 'ca.key' },
  'etcd-ca': { suffix: 'etcd', commonName: 'etcd-ca', cert: 'etcd/ca.crt', key: 'etcd/ca.key' },
  'proxy-ca': { suffix: 'proxy', commonName: 'front-proxy-ca', cert: 'front-proxy-ca.crt', key: 'front-proxy-ca.key' },
  sa: { suffix: 'sa', commonName: undefined, cert: 'sa.pub', key: 'sa.key' },
} as const;

export type Part = keyof typeof PARTS;
export const TOKEN_PART = 'token';

export function secretName(cluster: string, part: Part | typeof TOKEN_PART): string {
  return `${cluster}-${part === TOKEN_PART ? 'token' : PARTS[part].suffix}`;
}

/** Everything that is made once for a cluster. */
export function onceMade(cluster: string, algorithm: Algorithm, world: World): readonly OnceMade[] {
  const pairs = (Object.keys(PARTS) as Part[]).map((part): OnceMade => {
    const { commonName } = PARTS[part];
    return {
      key: part,
      name: secretName(cluster, part),
      make: async () =>
        asData(
          commonName === undefined ? issueServiceAccountKey() : await issueAuthority(world, commonName, algorithm),
        ),
      problem: (data) => pairDataProblem(data, part),
    };
  });
  return [
    ...pairs,
    {
      key: TOKEN_PART,
      name: secretName(cluster, TOKEN_PART),
      make: () => ({ token: newToken(world) }),
      problem: tokenProblem,
    },
  ];
}

export function pairDataProblem(data: Data, part: Part): string | undefined {
  for (const key of ['tls.crt', 'tls.key']) if ((data[key] ?? '') === '') return `it has no key ${key}`;
  return pairProblem(asPair(data), part === 'sa' ? 'key' : 'authority');
}

export function tokenProblem({ token }: Data): string | undefined {
  if (token === undefined || token === '') return 'it has no key token';
  return TOKEN.test(token) ? undefined : 'its token is not one of kubeadm; accepted: six characters, a dot, sixteen';
}

export function asPair(data: Data): Pair {
  return { cert: data['tls.crt'] ?? '', key: data['tls.key'] ?? '' };
}

function asData({ cert, key }: Pair): Data {
  return { 'tls.crt': cert, 'tls.key': key };
}
