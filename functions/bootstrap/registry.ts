/**
 * The bootstrappers. To add one: its folder, a line here and a line in traits.ts; the compiler refuses one line without
 * the other.
 */
import { own } from '#lib/api/json.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Bootstrapper } from './bootstrapper.ts';
import { bottlerocket } from './bottlerocket/bottlerocket.ts';
import { canonicalKubernetes } from './canonical-kubernetes/canonical-kubernetes.ts';
import { k0s } from './k0s/k0s.ts';
import { k3s } from './k3s/k3s.ts';
import { kubeadm } from './kubeadm/kubeadm.ts';
import { microk8s } from './microk8s/microk8s.ts';
import { nodeadm } from './nodeadm/nodeadm.ts';
import { rke2 } from './rke2/rke2.ts';
import { talos } from './talos/talos.ts';
import type { BootstrapperName } from './traits.ts';

export const BOOTSTRAPPERS: Readonly<Record<string, Bootstrapper>> = {
  bottlerocket,
  'canonical-kubernetes': canonicalKubernetes,
  k0s,
  k3s,
  kubeadm,
  microk8s,
  nodeadm,
  rke2,
  talos,
} satisfies Readonly<Record<BootstrapperName, Bootstrapper>>;

const ANOTHER =
  'for another name, a function of your own that knows it has to be the step bootstrap in the Compositions of Cluster and Machine (docs/contracts)';

/**
 * The bootstrapper of the claim. Throws Unsupported with the list of bootstrappers.
 * @param owner name of the claim in messages
 */
export function bootstrapperOf(provider: string, owner: string): Bootstrapper {
  const found = own(BOOTSTRAPPERS, provider);
  if (found !== undefined) return found;
  const accepted = oneOf(provider, Object.keys(BOOTSTRAPPERS).toSorted());
  throw refusal(owner, 'spec.bootstrap.provider', provider, `${accepted}; ${ANOTHER}`, 'Unsupported');
}
