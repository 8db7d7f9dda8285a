/** How a node registers: its name, the labels its kubelet may set, and its initial taints. */
import type { Flags } from '../claim-config.ts';
import { kubeletFlags } from '../kubelet-flags.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import { type Document, type KubeadmFacts, flagsAs } from './facts.ts';
import { kubeletFlags as volumePlugins } from './volume-plugins.ts';

const CRI_SOCKETS = {
  linux: 'unix:///run/containerd/containerd.sock',
  windows: 'npipe:////./pipe/containerd-containerd',
} as const;

export function nodeRegistration(facts: KubeadmFacts): Document {
  const { machine, config, api } = facts;
  const { taints } = machine.spec;
  const { imagePullPolicy, ignorePreflightErrors } = config;
  return {
    name: machine.metadata.name,
    criSocket: CRI_SOCKETS[machine.spec.machine.os ?? 'linux'],
    ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
    ...(ignorePreflightErrors.length === 0 ? {} : { ignorePreflightErrors }),
    // If not set, kubeadm taints a control plane as such. Taints of the claim replace that taint.
    ...(taints.length === 0 ? {} : { taints }),
    ...flagsAs('kubeletExtraArgs', allFlags(facts), api),
  };
}

function allFlags(facts: KubeadmFacts): Flags {
  const labels = kubeletLabels(facts.machine, facts.owner);
  return {
    ...(labels.length === 0 ? {} : { 'node-labels': labels.join(',') }),
    ...volumePlugins(facts.machine, facts.config),
    ...kubeletFlags(facts),
  };
}
