/** Who updates machines in place, and which changes: the part of the rules that is the same on every cloud. */
import type { Updater } from '../input.ts';

/** A change that an updater brings about on the machine that exists; what its condition leaves goes on to the next rule. */
export interface Updated {
  /** Path below a Machine, with everything under it. */
  readonly path: string;
  /** CEL; left out: every change. */
  readonly when?: string;
  readonly updater: string;
  readonly why: string;
}

export const RESIZE = 'resize';

/** The table of updaters; a flavor ships those its rules name. */
export const UPDATERS: readonly Updater[] = [
  // The cloud stops the machine for it and starts it again.
  { name: RESIZE, runsOn: 'Machine', disruptive: true, timeout: '30m' },
  { name: 'taints', runsOn: 'Machine', disruptive: true, timeout: '30m' },
  // The kubelet of another version starts its pods anew.
  { name: 'kubernetes', runsOn: 'Node', disruptive: true, timeout: '30m' },
  { name: 'node-configuration', runsOn: 'Node', disruptive: false, timeout: '10m' },
];

const VERSION = [
  "resource.spec.role == 'worker'",
  "resource.spec.bootstrap.provider == 'kubeadm'",
  // A pre-release has no number there.
  "old.matches('^v1[.][0-9]+[.][0-9]+$')",
  "new.matches('^v1[.][0-9]+[.][0-9]+$')",
  "new.split('.')[1] == old.split('.')[1]",
  "int(new.split('.')[2]) > int(old.split('.')[2])",
].join(' && ');

const GROWN = [
  // There is no shell on them.
  "!(resource.spec.bootstrap.provider in ['bottlerocket', 'talos'])",
  'new != null',
  '(old == null || old.all(one, one in new))',
].join(' && ');

/** In the order of rules, before those that patch. */
export const UPDATED: readonly Updated[] = [
  {
    path: 'spec.taints',
    when: "new != null && new.exists(one, one.effect == 'NoExecute' && (old == null || !(one in old)))",
    updater: 'taints',
    why: 'A new NoExecute taint evicts pods, and asks no disruption budget: the node is drained first.',
  },
  {
    path: 'spec.version',
    when: VERSION,
    updater: 'kubernetes',
    why: 'A newer patch version: the packages of the node. Control planes, other minors and older versions are replaced.',
  },
  ...['sysctls', 'kernelModules', 'caCertificates'].map((field) => ({
    path: `spec.provisioning.${field}`,
    when: GROWN,
    updater: 'node-configuration',
    why: 'Kernel settings and certificates can be added and changed; what is taken away only a new machine is without.',
  })),
];
