/** The certificate authorities, the service-account key and the token of a cluster, each in a Secret of its own. */
import type { World } from '#lib/fn/world.ts';
import { type Algorithm, issueAuthority, issueServiceAccountKey } from '../pki/issue.ts';
import { authorityProblem, keyPairProblem, type Pair } from '../pki/pem.ts';
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
export const ALL_PARTS = Object.keys(PARTS) as readonly Part[];
export const TOKEN_PART = 'token';

/** Name of the Secret; Cluster API's for the four pairs. */
export function secretName(cluster: string, part: Part | typeof TOKEN_PART): string {
  return `${cluster}-${part === TOKEN_PART ? 'token' : PARTS[part].suffix}`;
}

/** Everything that is made once for a cluster. */
export function onceMade(cluster: string, algorithm: Algorithm, world: World): readonly OnceMade[] {
  const pairs = ALL_PARTS.map((part): OnceMade => {
    const { commonName } = PARTS[part];
    return {
      key: part,
      name: secretName(cluster, part),
      make: async () =>
        asData(
          await (commonName === undefined ? issueServiceAccountKey() : issueAuthority(world, commonName, algorithm)),
        ),
      problem: (data) => dataProblem(data, part),
    };
  });
  const token: OnceMade = {
    key: TOKEN_PART,
    name: secretName(cluster, TOKEN_PART),
    make: () => ({ token: newToken(world) }),
    problem: (data) => dataProblem(data, TOKEN_PART),
  };
  return [...pairs, token];
}

/** Why a Secret's data cannot be used; undefined when it can. */
export function dataProblem(data: Data, part: Part | typeof TOKEN_PART): string | undefined {
  const keys = part === TOKEN_PART ? ['token'] : ['tls.crt', 'tls.key'];
  const missing = keys.filter((key) => (data[key] ?? '') === '');
  if (missing.length > 0) return `it has no key ${missing.join(' and no key ')}`;
  if (part === TOKEN_PART)
    return TOKEN.test(data['token'] ?? '')
      ? undefined
      : 'its token is not six characters, a dot and sixteen characters';
  return part === 'sa' ? keyPairProblem(asPair(data)) : authorityProblem(asPair(data));
}

export function asPair(data: Data): Pair {
  return { cert: data['tls.crt'] ?? '', key: data['tls.key'] ?? '' };
}

function asData({ cert, key }: Pair): Data {
  return { 'tls.crt': cert, 'tls.key': key };
}
