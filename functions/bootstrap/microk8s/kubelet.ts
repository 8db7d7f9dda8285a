/**
 * The configuration file of the kubelet. A machine that joins MicroK8s copies the flags of the machine that it joins,
 * including its provider id and taints. So these are in a file, which has the same name everywhere but is different on
 * each machine.
 */
import { sortedYaml } from '#lib/api/yaml.ts';
import { type MicroK8sFacts, FOLDER } from './facts.ts';

export const KUBELET_FILE = `${FOLDER}/kubelet.yaml`;

export function kubeletConfiguration({ machine, config, providerID }: MicroK8sFacts): string {
  const claimed = config.kubeletConfiguration ?? {};
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
