/** How a node registers: its name, what its kubelet may say of itself, and the taints it comes with. */
import type { Machine } from '#lib/api/kinds/machine.ts';
import { refusal } from '#lib/api/refusal.ts';
import { type Document, type Facts, flagsAs, type Flags } from './facts.ts';

/** Flags that have a field of their own, where they are not forgotten by the other things that read that field. */
const OWNED: Readonly<Record<string, string>> = {
  'cloud-provider': 'spec.bootstrap.config.cloudProvider',
  'hostname-override': 'the name of the Machine',
  'node-labels': 'spec.labels',
  'register-with-taints': 'spec.taints',
};

const NAME = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** Labels of Kubernetes' own that a kubelet may put on its node; with any other of them it refuses to start. */
const OPEN_DOMAIN = /(^|\.)(kubelet|node)\.kubernetes\.io$/;
const OPEN_LABELS = new Set(['topology.kubernetes.io/region', 'topology.kubernetes.io/zone']);

export function nodeRegistration(facts: Facts): Document {
  const { machine, config, api } = facts;
  const { taints } = machine.spec;
  const { imagePullPolicy, ignorePreflightErrors } = config;
  return {
    name: machine.metadata.name,
    criSocket: 'unix:///run/containerd/containerd.sock',
    ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
    ...(ignorePreflightErrors.length === 0 ? {} : { ignorePreflightErrors }),
    // Left out, kubeadm taints a control plane as such. A claim's own taints take that one's place.
    ...(taints.length === 0 ? {} : { taints }),
    ...flagsAs('kubeletExtraArgs', kubeletFlags(facts), api),
  };
}

function kubeletFlags({ machine, owner, config, cloudProvider, providerID }: Facts): Flags {
  const { extraArgs } = config.kubelet;
  for (const [flag, instead] of Object.entries(OWNED)) {
    if (extraArgs[flag] !== undefined)
      throw refusal(owner, `spec.bootstrap.config.kubelet.extraArgs.${flag}`, extraArgs[flag], instead);
  }
  const labels = kubeletLabels(machine, owner);
  return {
    ...(cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {}),
    ...(providerID === undefined ? {} : { 'provider-id': providerID }),
    ...(labels === '' ? {} : { 'node-labels': labels }),
    ...extraArgs,
  };
}

/** From the first moment on, so that no pod lands on a node that has not got its labels yet. The others the WorkloadNode sets. */
function kubeletLabels({ spec }: Machine, owner: string): string {
  const entries = Object.entries(spec.labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw refusal(owner, 'spec.labels', name, 'a label name such as example.com/team');
    if (!VALUE.test(value))
      throw refusal(owner, `spec.labels["${name}"]`, value, 'at most 63 letters, digits, -, _ and .');
  }
  return entries
    .filter(([name]) => isKubeletLabel(name))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

export function isKubeletLabel(name: string): boolean {
  const domain = name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
  if (!/(^|\.)(kubernetes|k8s)\.io$/.test(domain)) return true;
  return OPEN_DOMAIN.test(domain) || OPEN_LABELS.has(name);
}
