/** What the API server of a workload cluster, or its kubelets, would refuse of labels, annotations and taints. */
import { formatPath, show } from '../issues.ts';
import type { Taint } from './node-marks.ts';

export interface Marks {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

/** What is known besides: nothing stands for a cluster whose cloud labels its Nodes, and that has no machines. */
export interface MarksKnown {
  /** Whether a cloud controller manager sets labels of its own. @default true */
  readonly cloudLabels?: boolean;
  /** Of the machines. @default worker */
  readonly role?: 'worker' | 'control-plane';
  /** A taint that machines have already: one that an earlier release accepted hinders no other edit. */
  readonly isThere?: (taint: Taint) => boolean;
}

export interface MarkFault {
  /** Below spec. */
  readonly field: string;
  /** What is wrong, and what is accepted. */
  readonly reason: string;
}

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

const KEY =
  'is not accepted; accepted: a name of at most 63 letters, digits, -, _ and ., with or without a domain, such as example.com/team';
/** After a value of a label that is refused. */
export const LABEL_VALUE =
  'is not accepted; accepted: at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit';
const KEPT_LABEL = 'is not accepted; accepted: another label: the kubelet or the cloud sets this one on every Node';
const ROLE_LABEL =
  'is not accepted; accepted: another label: this one tells Kubernetes, and whoever selects Nodes, that a Node is a control plane';
const KEPT_TAINT =
  'is not accepted; accepted: another taint: Kubernetes sets and removes this one by the state of a Node';

/** The kubelet sets these on every Node, and would set them back. */
const KUBELET_LABELS: ReadonlySet<string> = new Set([
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
]);

/** The same, of the cloud controller manager. */
const CLOUD_LABELS: ReadonlySet<string> = new Set([
  'beta.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

/** Load balancers and charts take a Node with one of these for a control plane. */
const CONTROL_PLANE_LABELS: ReadonlySet<string> = new Set([
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
]);

/** Kubernetes sets and removes these by the state of a Node. */
const KEPT_TAINTS =
  /^(node\.kubernetes\.io\/(not-ready|unreachable|unschedulable|memory-pressure|disk-pressure|pid-pressure|network-unavailable)|node\.cloudprovider\.kubernetes\.io\/(uninitialized|shutdown))$/;

/** The first that Kubernetes would refuse, or set back. */
export function markFault({ labels, annotations, taints }: Marks, known: MarksKnown = {}): MarkFault | undefined {
  const { isThere = () => false } = known;
  return labelFault(labels, known) ?? annotationFault(annotations) ?? taintFault(taints, isThere);
}

function labelFault(
  labels: Marks['labels'],
  { cloudLabels = true, role = 'worker' }: MarksKnown,
): MarkFault | undefined {
  for (const [key, value] of Object.entries(labels)) {
    if (!isKey(key)) return { field: 'labels', reason: keyRefused(key) };
    if (!isLabelValue(value)) return { field: formatPath(['labels', key]), reason: `${show(value)} ${LABEL_VALUE}` };
    if (KUBELET_LABELS.has(key) || (cloudLabels && CLOUD_LABELS.has(key)))
      return { field: 'labels', reason: `the key ${show(key)} ${KEPT_LABEL}` };
    if (role === 'worker' && CONTROL_PLANE_LABELS.has(key))
      return { field: 'labels', reason: `the key ${show(key)} ${ROLE_LABEL}` };
  }
  return undefined;
}

function annotationFault(annotations: Marks['annotations']): MarkFault | undefined {
  const key = Object.keys(annotations).find((one) => !isKey(one.toLowerCase()));
  return key === undefined ? undefined : { field: 'annotations', reason: keyRefused(key) };
}

function taintFault(taints: Marks['taints'], isThere: (taint: Taint) => boolean): MarkFault | undefined {
  for (const [i, taint] of taints.entries()) {
    const { key, effect } = taint;
    if (isThere(taint)) continue;
    if (!isKey(key)) return { field: `taints[${i}].key`, reason: `${show(key)} ${KEY}` };
    if (KEPT_TAINTS.test(key)) return { field: `taints[${i}].key`, reason: `${show(key)} ${KEPT_TAINT}` };
    if (taints.findIndex((one) => one.key === key && one.effect === effect) !== i)
      return {
        field: `taints[${i}]`,
        reason: `"${key}:${effect}" is listed twice; accepted: each key once for each effect`,
      };
  }
  return undefined;
}

/** Whether it is a key of labels and taints, and in lower case of annotations. */
export function isKey(key: string): boolean {
  const slash = key.indexOf('/');
  return NAME.test(key.slice(slash + 1)) && (slash === -1 || PREFIX.test(key.slice(0, slash)));
}

/** Why a key is refused. */
export function keyRefused(key: string): string {
  return `the key ${show(key)} ${KEY}`;
}

export function isLabelValue(value: string): boolean {
  return VALUE.test(value);
}
