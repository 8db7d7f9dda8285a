/** Labels that a kubelet sets on its own node. */
import type { Machine } from '#lib/api/kinds/machine.ts';
import { refusal } from '#lib/api/refusal.ts';

const NAME = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** Kubernetes labels that a kubelet may set on its node; it refuses to start with any other of them. */
const OPEN_DOMAIN = /(^|\.)(kubelet|node)\.kubernetes\.io$/;
const OPEN_LABELS = new Set(['topology.kubernetes.io/region', 'topology.kubernetes.io/zone']);

/**
 * As name=value, sorted by name. They are set on registration, so that no pod is scheduled to a node before it has its
 * labels. The WorkloadNode sets the others.
 */
export function kubeletLabels({ spec }: Machine, owner: string): readonly string[] {
  const entries = Object.entries(spec.labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw refusal(owner, 'spec.labels', name, 'a label name such as example.com/team');
    if (!VALUE.test(value))
      throw refusal(owner, `spec.labels["${name}"]`, value, 'at most 63 letters, digits, -, _ and .');
  }
  return entries.filter(([name]) => isKubeletLabel(name)).map(([name, value]) => `${name}=${value}`);
}

export function isKubeletLabel(name: string): boolean {
  const domain = name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
  if (!/(^|\.)(kubernetes|k8s)\.io$/.test(domain)) return true;
  return OPEN_DOMAIN.test(domain) || OPEN_LABELS.has(name);
}
