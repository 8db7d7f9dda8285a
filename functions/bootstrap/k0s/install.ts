/**
 * The script that makes k0s the service of a machine, with the flags of its role, and waits until the machine is a
 * node.
 */
import { quoted } from '#lib/fn/quoted.ts';
import { kubeletFlags, taintText } from '../kubelet-flags.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import { PATHS } from './download.ts';
import { type K0sFacts, isController } from './facts.ts';

export const CONFIG_FILE = '/etc/k0s.yaml';
export const TOKEN_FILE = '/etc/k0s.token';

export function serviceOf(facts: Pick<K0sFacts, 'machine'>): string {
  return isController(facts) ? 'k0scontroller' : 'k0sworker';
}

/**
 * k0s joins in the background: its token is needed until the kubelet has its own credentials, and is not read after
 * that.
 */
export function installScript(facts: K0sFacts): string {
  const role = isController(facts) ? 'controller' : 'worker';
  const flags = [...roleFlags(facts), ...nodeFlags(facts)].map(([name, value]) =>
    quoted(value === '' ? `--${name}` : `--${name}=${value}`),
  );
  return `#!/bin/sh
# Makes k0s ${facts.release} the service of this machine, and waits until the machine is a node.
set -eu
${PATHS}

k0s install ${role} --force \\
  ${flags.join(' \\\n  ')}
k0s status >/dev/null 2>&1 || k0s start

tries=120
until [ -s /var/lib/k0s/kubelet.conf ]; do
  tries=$((tries - 1))
  if [ "$tries" -le 0 ]; then
    echo 'slipway: this machine is not a node after ten minutes; journalctl -u ${serviceOf(facts)} says why' >&2
    exit 1
  fi
  sleep 5
done
`;
}

type Flag = readonly [name: string, value: string];

function roleFlags(facts: K0sFacts): readonly Flag[] {
  const { machine, config } = facts;
  const token: readonly Flag[] = machine.spec.bootstrap.action === 'Init' ? [] : [['token-file', TOKEN_FILE]];
  if (!isController(facts)) return token;
  const { disableComponents } = config;
  return [
    ['config', CONFIG_FILE],
    // Every Machine is a Node, but k0s controllers are not nodes by default.
    ['enable-worker', ''],
    ...token,
    ...(disableComponents.length === 0 ? [] : [['disable-components', disableComponents.join(',')] as const]),
    // Taints of the claim replace the taint that k0s sets on controllers.
    ...(machine.spec.taints.length === 0 ? [] : [['no-taints', ''] as const]),
  ];
}

function nodeFlags(facts: K0sFacts): readonly Flag[] {
  const { machine, owner, config, cloudProvider } = facts;
  const labels = kubeletLabels(machine, owner);
  const { 'cloud-provider': _own, ...flags } = kubeletFlags(facts);
  const kubelet = Object.entries(flags)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `--${name}=${value}`);
  return [
    ...(config.profile === undefined ? [] : [['profile', config.profile] as const]),
    ...(cloudProvider === 'external' ? [['enable-cloud-provider', ''] as const] : []),
    ...(labels.length === 0 ? [] : [['labels', labels.join(',')] as const]),
    ...(machine.spec.taints.length === 0 ? [] : [['taints', machine.spec.taints.map(taintText).join(',')] as const]),
    ...(kubelet.length === 0 ? [] : [['kubelet-extra-args', kubelet.join(' ')] as const]),
  ];
}
