/** The cluster authorities on control-plane machines: each is a pair of files below one folder. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Secrets } from './machine-secrets.ts';
import { asPair, authorityPart, type Part, serviceAccountPart } from './parts.ts';
import { planFile } from './plan-file.ts';

export interface CarriedPart {
  readonly part: Part;
  /** Paths below the folder; files without a path are not written. */
  readonly cert?: string;
  readonly key?: string;
}

/**
 * The Kubernetes authorities with the file layout of kubeadm, each with the name that its tool uses.
 * @param ca  signs certificates of the Kubernetes API and its clients
 */
export function kubernetesAuthorities(ca: Part, etcd: string, frontProxy: string): readonly CarriedPart[] {
  const [etcdCa, proxyCa] = [authorityPart('etcd-ca', 'etcd', etcd), authorityPart('proxy-ca', 'proxy', frontProxy)];
  return [
    { part: ca, cert: 'ca.crt', key: 'ca.key' },
    { part: etcdCa, cert: 'etcd/ca.crt', key: 'etcd/ca.key' },
    { part: proxyCa, cert: 'front-proxy-ca.crt', key: 'front-proxy-ca.key' },
    { part: serviceAccountPart('sa', 'sa'), cert: 'sa.pub', key: 'sa.key' },
  ];
}

/**
 * Only root may read the private keys, whoever may read the certificates.
 * @param certMode  0644 if the reader of the certificates is not root
 */
export function carriedFiles(
  folder: string,
  carried: readonly CarriedPart[],
  secrets: Secrets,
  certMode: '0640' | '0644',
): readonly PlanFile[] {
  return carried.flatMap(({ part, cert, key }) => {
    const pair = asPair(secrets.of(part));
    const certificate = cert === undefined ? [] : [planFile(`${folder}/${cert}`, pair.cert, certMode)];
    return [...certificate, ...(key === undefined ? [] : [planFile(`${folder}/${key}`, pair.key, '0600')])];
  });
}
