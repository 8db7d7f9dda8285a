/**
 * The kubelet's configuration file. Who joins MicroK8s takes over the flags of whom it joins, a provider id and taints of
 * that machine among them; so they stand in a file that is called alike everywhere and is each machine's own.
 */
import { refusal } from '#lib/api/refusal.ts';
import { sortedYaml } from '#lib/api/yaml.ts';
import { type Facts, FOLDER } from './facts.ts';

export const KUBELET_FILE = `${FOLDER}/kubelet.yaml`;

/** Fields that have a field of their own in a claim. */
const OWNED: Readonly<Record<string, string>> = {
  providerID: 'nothing, since the cloud assigns it',
  registerWithTaints: 'spec.taints',
};

export function kubeletConfiguration({ machine, owner, config, providerID }: Facts): string {
  const claimed = config.kubeletConfiguration ?? {};
  for (const [field, instead] of Object.entries(OWNED))
    if (claimed[field] !== undefined)
      throw refusal(owner, `spec.bootstrap.config.kubeletConfiguration.${field}`, claimed[field], instead);
  const { taints } = machine.spec;
  const document = {
    ...claimed,
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...(providerID === undefined ? {} : { providerID }),
    ...(taints.length === 0 ? {} : { registerWithTaints: taints }),
  };
  return sortedYaml(document);
}
