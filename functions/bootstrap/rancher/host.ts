/**
 * What a hardened node needs on its host: kernel settings that its kubelet otherwise refuses to start with, and the user
 * that etcd runs as. Neither k3s nor RKE2 makes them.
 */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import { planFile } from '../plan-file.ts';
import type { RancherFacts } from './settings.ts';

type Facts = Pick<RancherFacts, 'distribution' | 'config' | 'machine'>;

/** The values that a kubelet sets by itself, unless it must not change any. */
const SYSCTLS = { 'kernel.panic': 10, 'kernel.panic_on_oops': 1, 'vm.overcommit_memory': 1, 'vm.panic_on_oom': 0 };

export function hostFiles(facts: Facts): readonly PlanFile[] {
  const lines = Object.entries(SYSCTLS).map(([name, value]) => `${name} = ${value}\n`);
  return keepsKernel(facts) ? [planFile(sysctlFile(facts), lines.join(''), '0644')] : [];
}

export function hostCommands(facts: Facts): readonly string[] {
  return [
    ...(keepsKernel(facts) ? [`sysctl -q -p ${sysctlFile(facts)}`] : []),
    ...(hasEtcdUser(facts) ? ETCD_USER : []),
  ];
}

/** An image, or a claim, may have them. */
const ETCD_USER = [
  'getent group etcd >/dev/null || groupadd --system etcd',
  'getent passwd etcd >/dev/null || useradd --system --gid etcd --no-create-home --shell /sbin/nologin etcd',
];

function keepsKernel({ distribution, config }: Facts): boolean {
  return config['protect-kernel-defaults'] === true || distribution.benchmark?.(config) === 'cis';
}

function hasEtcdUser({ distribution, config, machine }: Facts): boolean {
  return machine.spec.role === 'control-plane' && distribution.benchmark?.(config) !== undefined;
}

function sysctlFile({ distribution }: Facts): string {
  return `/etc/sysctl.d/50-slipway-${distribution.name}.conf`;
}
