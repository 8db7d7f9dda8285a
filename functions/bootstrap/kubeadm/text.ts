/** kubeadm's configuration file as text. */
import { stringify } from 'yaml';

export const CONFIG_FILE = '/etc/kubernetes/kubeadm.yaml';

/** kubeadm reads YAML 1.1, where a bare "on" or "1_000" is no string. */
export function asYaml(document: unknown): string {
  return `---\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' })}`;
}
