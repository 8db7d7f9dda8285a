/** `spec.bootstrap.config` with one value for every field: one line for each bootstrapper, from its own folder. */
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_BOTTLEROCKET } from './bottlerocket/everything.fixture.ts';
import { EVERY_CANONICAL } from './canonical-kubernetes/canonical-kubernetes.fixture.ts';
import { EVERY_K0S } from './k0s/k0s.fixture.ts';
import { EVERY_K3S } from './k3s/everything.fixture.ts';
import { everyKubeadm } from './kubeadm/everything.fixture.ts';
import { EVERY_MICROK8S } from './microk8s/microk8s.fixture.ts';
import { EVERY_NODEADM } from './nodeadm/everything.fixture.ts';
import { EVERY_RKE2 } from './rke2/everything.fixture.ts';
import { everyTalos } from './talos/everything.fixture.ts';
import type { BootstrapperName } from './traits.ts';

/** By version: older ones support fewer fields. */
export const EVERY_CONFIG: Readonly<Record<BootstrapperName, (version: string) => JsonObject>> = {
  bottlerocket: () => EVERY_BOTTLEROCKET,
  'canonical-kubernetes': () => EVERY_CANONICAL,
  k0s: () => EVERY_K0S,
  k3s: () => EVERY_K3S,
  kubeadm: everyKubeadm,
  microk8s: () => EVERY_MICROK8S,
  nodeadm: () => EVERY_NODEADM,
  rke2: () => EVERY_RKE2,
  talos: () => everyTalos('1.13'),
};

/** @param provider  ours or that of a third party */
export function everyConfig(provider: string, version: string): JsonObject {
  const all: Readonly<Record<string, (version: string) => JsonObject>> = EVERY_CONFIG;
  return all[provider]?.(version) ?? {};
}
