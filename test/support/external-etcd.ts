/** An etcd that somebody else runs, as a claim of kubeadm names it, and the Secrets its owner supplies. */
import type { KubeObject } from '#lib/api/json.ts';
import { aCluster, withStatus } from './claims.ts';
import { newIssuer } from './authority.ts';

export const EXTERNAL_ETCD = {
  etcd: { external: { endpoints: ['https://10.0.0.20:2379', 'https://[fd00::20]:2379'] } },
};

/** A Cluster that is up and claims it, and where etcd was when its certificates were made. */
export function claimingEtcd(recorded: 'Local' | 'External'): KubeObject {
  const certificates = { caCertHash: 'sha256:00', ...(recorded === 'Local' ? {} : { etcd: recorded }) };
  return withStatus(aCluster({ spec: { bootstrap: { config: EXTERNAL_ETCD } } }), { certificates });
}

/** By the names the bootstrap step requires them by. */
export async function anEtcd(): Promise<{ readonly 'etcd-ca': KubeObject; readonly 'etcd-client': KubeObject }> {
  const issuer = await newIssuer('corp-etcd', 'ECDSA');
  const client = await issuer.issue('apiserver', {});
  return {
    'etcd-ca': suppliedSecret('prod-etcd', { 'tls.crt': issuer.cert }),
    'etcd-client': suppliedSecret('prod-apiserver-etcd-client', { 'tls.crt': client.cert, 'tls.key': client.key }),
  };
}

/** As people make it for Cluster API: not immutable, and nobody's. */
export function suppliedSecret(name: string, data: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name, namespace: 'team-a', labels: { 'cluster.x-k8s.io/cluster-name': 'prod' } },
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
  };
}
