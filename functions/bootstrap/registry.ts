/** The bootstrappers there are. Adding one is its folder and its line here. */
import { refusal } from '#lib/api/refusal.ts';
import type { Bootstrapper } from './bootstrapper.ts';
import { kubeadm } from './kubeadm/kubeadm.ts';

const BOOTSTRAPPERS: Readonly<Record<string, Bootstrapper>> = {
  kubeadm,
};

/** The claim's bootstrapper. Throws Unsupported, naming the ones there are. @param owner how to call the claim */
export function bootstrapperOf(provider: string, owner: string): Bootstrapper {
  const found = Object.hasOwn(BOOTSTRAPPERS, provider) ? BOOTSTRAPPERS[provider] : undefined;
  if (found !== undefined) return found;
  const accepted = Object.keys(BOOTSTRAPPERS).toSorted().join(', ');
  throw refusal(owner, 'spec.bootstrap.provider', provider, accepted, 'Unsupported');
}
