/** What k3s and RKE2 refuse of `spec.bootstrap.config`. */
import { refusal } from '#lib/api/refusal.ts';
import type { ConfigRules } from '../claim-config.ts';
import { OWNED_FLAGS } from '../kubelet-flags.ts';
import type { Config } from './config.ts';
import { type Distribution, ofAllServers } from './distribution.ts';
import { installerOf } from './installer.ts';
import { readConfig } from './read-config.ts';

export function rancherRules(distribution: Pick<Distribution, 'name' | 'schema' | 'keys'>): ConfigRules<Config> {
  return {
    read: (config, owner) => readConfig(distribution, config, owner),
    // Agents read none of these.
    ofTheCluster: [...ofAllServers(distribution), ...distribution.keys.server] as ConfigRules<Config>['ofTheCluster'],
    refuse: (config, { owner }) => {
      installerOf(config, distribution.name, owner);
      config['kubelet-arg']?.forEach((flag, index) => refuseOwnedFlag(flag, `kubelet-arg[${index}]`, owner));
    },
  };
}

function refuseOwnedFlag(flag: string, field: string, owner: string): void {
  const name = flag.replace(/^-+/, '').split('=')[0] ?? '';
  if (Object.hasOwn(OWNED_FLAGS, name))
    throw refusal(owner, `spec.bootstrap.config.${field}`, flag, OWNED_FLAGS[name] ?? '');
}
