/**
 * What each bootstrapper refuses of `spec.bootstrap.config`: one line per bootstrapper, from its own folder. Functions
 * that decide about clusters and pools import it beside the traits, and so refuse a claim before there is a machine.
 */
import { own } from '#lib/api/json.ts';
import { bottlerocketRules } from './bottlerocket/rules.ts';
import { canonicalKubernetesRules } from './canonical-kubernetes/rules.ts';
import { type RefuseConfig, refusing } from './claim-config.ts';
import { k0sRules } from './k0s/rules.ts';
import { k3sRules } from './k3s/rules.ts';
import { kubeadmRules } from './kubeadm/rules.ts';
import { microk8sRules } from './microk8s/rules.ts';
import { nodeadmRules } from './nodeadm/rules.ts';
import { rke2Rules } from './rke2/rules.ts';
import { talosRules } from './talos/rules.ts';
import type { BootstrapperName } from './traits.ts';

const OURS: Readonly<Record<string, RefuseConfig>> = {
  bottlerocket: refusing(bottlerocketRules),
  'canonical-kubernetes': refusing(canonicalKubernetesRules),
  k0s: refusing(k0sRules),
  k3s: refusing(k3sRules),
  kubeadm: refusing(kubeadmRules),
  microk8s: refusing(microk8sRules),
  nodeadm: refusing(nodeadmRules),
  rke2: refusing(rke2Rules),
  talos: refusing(talosRules),
} satisfies Readonly<Record<BootstrapperName, RefuseConfig>>;

/** Throws as the machines of the claim would be refused; nothing is known of those of a third party. */
export function refuseConfig(provider: string, ...asked: Parameters<RefuseConfig>): void {
  own(OURS, provider)?.(...asked);
}
