/** An external etcd, as in a claim for kubeadm, and the Secrets that its owner supplies. */
import type { KubeObject } from '#lib/api/json.ts';
import { aCluster, withStatus } from './claims.ts';
import { newIssuer } from './authority.ts';

export const EXTERNAL_ETCD = {
  etcd: { external: { endpoints: ['https://10.0.0.20:2379', 'https://[fd00::20]:2379'] } },
};

/** A Cluster that is ready and claims it, and the recorded place of etcd when its certificates were created. */
export function claimingEtcd(recorded: 'Local' | 'External'): KubeObject {
  const certificates = { caCertHash: 'sha256:00', ...(recorded === 'Local' ? {} : { etcd: recorded }) };
  return withStatus(aCluster({ spec: { bootstrap: { config: EXTERNAL_ETCD } } }), { certificates });
}

/** By requirement name in the bootstrap step. */
export async function anEtcd(): Promise<{ readonly 'etcd-ca': KubeObject; readonly 'etcd-client': KubeObject }> {
  const issuer = await newIssuer('corp-etcd', 'ECDSA');
  const client = await issuer.issue('apiserver', {});
  return {
    'etcd-ca': suppliedSecret('prod-etcd', { 'tls.crt': issuer.cert }),
    'etcd-client': suppliedSecret('prod-apiserver-etcd-client', { 'tls.crt': client.cert, 'tls.key': client.key }),
  };
}

/** As users create it for Cluster API: not immutable, and without an owner. */
export function suppliedSecret(name: string, data: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name, namespace: 'team-a', labels: { 'cluster.x-k8s.io/cluster-name': 'prod' } },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  };
}
