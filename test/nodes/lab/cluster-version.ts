/** The version that kubeadm finds in a cluster. */
import { stringAt } from '#lib/api/json.ts';

type Kubectl = (...args: readonly string[]) => Promise<string>;

/** `kubernetesVersion` in the ClusterConfiguration in the cluster. */
export async function clusterVersion(kubectl: Kubectl): Promise<string> {
  const found = await kubectl('get', '--namespace=kube-system', 'configmap', 'kubeadm-config', '--output=json');
  const text = stringAt(JSON.parse(found), 'data', 'ClusterConfiguration') ?? '';
  return /^kubernetesVersion: (.*)$/m.exec(text)?.[1] ?? '';
}
