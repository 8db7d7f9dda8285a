/** The authorities of kubeadm clusters, and the paths of their files. */
import { type CarriedPart, kubernetesAuthorities } from '../carried.ts';
import { authorityPart, type Part, suppliedCertificate, suppliedClient } from '../parts.ts';
import type { KubeadmConfig } from './config.ts';
import { ENCRYPTION } from './encryption.ts';

export const CA = authorityPart('ca', 'ca', 'kubernetes');

const LOCAL = kubernetesAuthorities(CA, 'etcd-ca', 'front-proxy-ca');

/** Files of a client of an external etcd, below that folder. */
export const ETCD_CLIENT_FILES = {
  ca: 'etcd/ca.crt',
  cert: 'apiserver-etcd-client.crt',
  key: 'apiserver-etcd-client.key',
} as const;

/** Files of control planes. With an external etcd only the client certificate: no key of its authority. */
export function carriedBy({ etcd: { external } }: KubeadmConfig): readonly CarriedPart[] {
  if (external === undefined) return LOCAL;
  const { ca, cert, key } = ETCD_CLIENT_FILES;
  const client = { key: 'etcd-client', suffix: 'apiserver-etcd-client', name: external.clientSecret };
  const supplied: readonly CarriedPart[] = [
    { part: suppliedCertificate({ key: 'etcd-ca', suffix: 'etcd', name: external.caSecret }), cert: ca },
    { part: suppliedClient(client), cert, key },
  ];
  return LOCAL.flatMap((carried) => (carried.part.key === 'etcd-ca' ? supplied : [carried]));
}

/** In the order of their Secrets. @param encrypted whether the cluster has a key for its Secrets */
export function partsOf(config: KubeadmConfig, encrypted: boolean): readonly Part[] {
  return [...carriedBy(config).map(({ part }) => part), ...(encrypted ? [ENCRYPTION] : [])];
}
