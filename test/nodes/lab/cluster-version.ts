/** The version that kubeadm finds in a cluster, as after an edit of the claim: that of the older machines. */
import { stringAt } from '#lib/api/json.ts';
import { until } from '../../e2e/lab/waiting.ts';

type Kubectl = (...args: readonly string[]) => Promise<string>;

const CONFIG_MAP = ['--namespace=kube-system', 'configmap', 'kubeadm-config'] as const;

/** `kubernetesVersion` in the ClusterConfiguration in the cluster. */
export async function clusterVersion(kubectl: Kubectl): Promise<string> {
  return /^kubernetesVersion: (.*)$/m.exec(await configuration(kubectl))?.[1] ?? '';
}

/** A Node is Ready before kubeadm stores the configuration. */
export async function setClusterVersion(kubectl: Kubectl, version: string): Promise<void> {
  const before = await until('kubeadm writes its configuration down', { seconds: 120, every: 1000 }, async () => ({
    found: await configuration(kubectl),
  }));
  const text = before.replace(/^kubernetesVersion: .*$/m, `kubernetesVersion: ${version}`);
  await kubectl(
    'patch',
    ...CONFIG_MAP,
    '--type=merge',
    '--patch',
    JSON.stringify({ data: { ClusterConfiguration: text } }),
  );
}

async function configuration(kubectl: Kubectl): Promise<string> {
  return (
    stringAt(JSON.parse(await kubectl('get', ...CONFIG_MAP, '--output=json')), 'data', 'ClusterConfiguration') ?? ''
  );
}
