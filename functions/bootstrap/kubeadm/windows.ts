/**
 * A Windows worker: one file and one PowerShell command. The image has containerd, kubelet as a service, kubeadm and
 * the pod network. kubeadm uses its default paths on the current drive.
 */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { yamlDocument } from '#lib/api/yaml.ts';
import { noProxy } from '../no-proxy.ts';
import { planFile, SENTINEL } from '../plan-file.ts';
import { CONFIG_FILE, joinDocuments } from './documents.ts';
import type { KubeadmFacts } from './facts.ts';
import { patchFiles } from './patches.ts';

export function windowsPlan(facts: KubeadmFacts): BootstrapPlan {
  const { cluster, machine, providerID } = facts;
  const configFile = planFile(CONFIG_FILE, joinDocuments(facts).map(yamlDocument).join(''), '0600');
  return {
    contract: 1,
    kind: 'scripted',
    os: 'windows',
    provider: 'kubeadm',
    nodeName: machine.metadata.name,
    files: [
      { ...configFile, instanceVariables: providerID !== undefined },
      ...patchFiles(facts).map(({ path, text }) => planFile(path, text, '0644')),
    ],
    units: [],
    commands: {
      // kubeadm starts the kubelet; after a reboot the service starts by itself.
      pre: ['Set-Service -Name kubelet -StartupType Automatic'],
      bootstrap: [`Set-Location C:/; kubeadm.exe join --config C:${CONFIG_FILE}`],
      post: [],
    },
    sentinel: SENTINEL,
    // It contains the token.
    removeAfterBootstrap: [CONFIG_FILE],
    noProxy: [...noProxy(cluster)],
  };
}
