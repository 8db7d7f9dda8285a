/**
 * What each bootstrapper refuses of `spec.bootstrap.config`: one line per bootstrapper, from its own folder. Functions
 * that decide about clusters and pools import it beside the traits, and so refuse a claim before there is a machine.
 */
import { at, own } from '#lib/api/json.ts';
import { hostsMeant, isAddress, isHost } from '#lib/api/host-name.ts';
import { withValue } from '#lib/api/issues.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { bottlerocketRules } from './bottlerocket/rules.ts';
import { canonicalKubernetesRules } from './canonical-kubernetes/rules.ts';
import { type FlagFields, type RefuseConfig, refuseRemovedFlags, refusing } from './claim-config.ts';
import { k0sRules } from './k0s/rules.ts';
import { k3sRules } from './k3s/rules.ts';
import { kubeadmRules } from './kubeadm/rules.ts';
import { microk8sRules } from './microk8s/rules.ts';
import { nodeadmRules } from './nodeadm/rules.ts';
import { rke2Rules } from './rke2/rules.ts';
import { talosRules } from './talos/rules.ts';
import type { BootstrapperName } from './traits.ts';

interface Rules {
  readonly flags: FlagFields;
  readonly hosts?: readonly (readonly string[])[];
  readonly checksHosts?: boolean;
}

export const CONFIG_RULES: Readonly<Record<string, Rules>> = {
  bottlerocket: bottlerocketRules,
  'canonical-kubernetes': canonicalKubernetesRules,
  k0s: k0sRules,
  k3s: k3sRules,
  kubeadm: kubeadmRules,
  microk8s: microk8sRules,
  nodeadm: nodeadmRules,
  rke2: rke2Rules,
  talos: talosRules,
} satisfies Readonly<Record<BootstrapperName, Rules>>;

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

/** Throws Unsupported for a flag that the version of the machines no longer has. */
export function refuseFlags(provider: string, config: unknown, asked: Parameters<typeof refuseRemovedFlags>[2]): void {
  refuseRemovedFlags(own(CONFIG_RULES, provider)?.flags ?? {}, config, asked);
}

/** kubeadm checks names before it creates certificates. */
const CHECKED =
  'is not a host; accepted: a DNS name in lower case, a wildcard such as *.example.com or an IP address, without scheme and port';
const ANY =
  'is not a host; accepted: a DNS name, a wildcard such as *.example.com or an IP address, without scheme and port';

/**
 * Throws InvalidClaim for a name of the API that no client could use, or that its bootstrapper refuses. Only for a new
 * Cluster: another cannot add names to certificates that exist.
 */
export function refuseHosts(provider: string, config: unknown, owner: string): void {
  const { hosts = [], checksHosts = false } = own(CONFIG_RULES, provider) ?? {};
  for (const path of hosts) {
    const names: unknown = at(config, ...path);
    for (const [index, name] of (Array.isArray(names) ? (names as readonly unknown[]) : []).entries())
      if (typeof name === 'string' && !(checksHosts ? isHostOrWildcard(name) : isUsable(name)))
        throw refusalFor(
          owner,
          `spec.bootstrap.config.${path.join('.')}[${index}]`,
          withValue(name, `${checksHosts ? CHECKED : ANY}${meantBy(name)}`),
        );
  }
}

/** A certificate may also be for every name of a domain. */
function isHostOrWildcard(name: string): boolean {
  return isHost(name.replace(/^\*\.(?=.)/, '')) || isIP(name);
}

/** Also IPv4 inside IPv6, which Kubernetes has in no other field. */
function isIP(name: string): boolean {
  return isAddress(name.replace(/^::ffff:(?=[0-9]+\.)/i, ''));
}

/** Without scheme, port, blank and slash: certificates may be for any other name, and some read a list with commas. */
function isUsable(name: string): boolean {
  return name.split(',').every((one) => isIP(one) || /^[^\s/:]+$/.test(one));
}

/** Whoever writes a block does not mean its first address. */
function meantBy(name: string): string {
  const [meant] = /^[0-9a-f.:]+\/[0-9]+$/i.test(name) ? [] : hostsMeant(name);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}
