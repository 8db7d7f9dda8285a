/** Which add-ons bring a pod network: known charts, and what a network plugin consists of. */
import { at, isJsonObject, stringAt } from '#lib/api/json.ts';

const CHARTS: ReadonlySet<string> = new Set([
  'antrea',
  'calico',
  'canal',
  'cilium',
  'flannel',
  'kube-ovn',
  'kube-router',
  'tigera-operator',
]);

/** Where the kubelet's container runtime looks for a network. */
const CNI_FOLDER = '/etc/cni/net.d';

/** @param forProvider  of a Release or an Object */
export function bringsNetwork(forProvider: unknown): boolean {
  const chart = stringAt(forProvider, 'chart', 'name');
  if (chart !== undefined) return CHARTS.has(chart);
  const manifest = at(forProvider, 'manifest');
  if (stringAt(manifest, 'kind') === 'Installation') return true;
  if (stringAt(manifest, 'kind') !== 'DaemonSet') return false;
  const volumes = at(manifest, 'spec', 'template', 'spec', 'volumes');
  const list: readonly unknown[] = Array.isArray(volumes) ? volumes : [];
  return list.some((volume) => isJsonObject(volume) && stringAt(volume, 'hostPath', 'path') === CNI_FOLDER);
}
