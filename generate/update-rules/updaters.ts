/** Who updates machines in place, and which changes: the part of the rules that is the same on every cloud. */
import { BOOTSTRAPPER_TABLES, bootstrappersThat, bootstrapperTraits } from '../../functions/bootstrap/traits.ts';
import type { Updater } from '../../functions/in-place-update/input.ts';

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

/** The table of updaters; a cloud ships those its rules name. */
export const UPDATERS: readonly Updater[] = [
  // The cloud stops the machine for it and starts it again.
  { name: RESIZE, runsOn: 'Machine', disruptive: true, timeout: '30m' },
  { name: 'taints', runsOn: 'Machine', disruptive: true, timeout: '30m' },
  // The kubelet of another version starts its pods anew.
  { name: 'kubernetes', runsOn: 'Node', disruptive: true, timeout: '30m' },
  { name: 'node-configuration', runsOn: 'Node', disruptive: false, timeout: '10m' },
];

const PROVIDER = 'resource.spec.bootstrap.provider';

const version = (): string =>
  [
    "resource.spec.role == 'worker'",
    isOf(bootstrappersThat(({ updatesKubernetes }) => updatesKubernetes)),
    // A pre-release has no number there.
    "old.matches('^v1[.][0-9]+[.][0-9]+$')",
    "new.matches('^v1[.][0-9]+[.][0-9]+$')",
    "new.split('.')[1] == old.split('.')[1]",
    "int(new.split('.')[2]) > int(old.split('.')[2])",
  ].join(' && ');

/** A script runs in a shell, which Windows does not have. */
const LINUX = "!(has(resource.spec.machine.os) && resource.spec.machine.os == 'windows')";

const grown = (): string =>
  [
    LINUX,
    `!(${PROVIDER} in ${celList(bootstrappersThat(({ hasShell }) => !hasShell))})`,
    'new != null',
    '(old == null || old.all(one, one in new))',
  ].join(' && ');

/** Registries that are added or changed. */
const registries = (): string =>
  [
    LINUX,
    isOf(bootstrappersThat(({ updatesRegistries }) => updatesRegistries)),
    'new != null',
    '(old == null || old.all(one, new.exists(other, other.host == one.host)))',
  ].join(' && ');

/** No field of the kubelet is gone, in groups neither. */
const GROWN = 'old.all(k, k in new && (type(old[k]) != map || old[k].all(j, j in new[k])))';
const LASTING = '(old != null && k in old) == (k in new) && (!(k in new) || old[k] == new[k])';

/** Settings of the kubelet that are added or changed, and that a node does not keep for its life. */
function kubeletRules(): readonly Updated[] {
  const kinds = Object.keys(BOOTSTRAPPER_TABLES).flatMap((provider) => bootstrapperTraits(provider).kubelet ?? []);
  const texts = new Map(kinds.map((kubelet) => [JSON.stringify(kubelet), kubelet]));
  return [...texts].map(([text, { field, since, lasting }]) => ({
    path: `spec.bootstrap.config.${field}`,
    when: [
      LINUX,
      isOf(bootstrappersThat(({ kubelet }) => JSON.stringify(kubelet) === text)),
      ...(since === undefined ? [] : [`int(resource.spec.version.split('.')[1]) >= ${since}`]),
      'new != null',
      `(old == null || ${GROWN})`,
      `${celList(lasting)}.all(k, ${LASTING})`,
    ].join(' && '),
    updater: 'node-configuration',
    why: 'Settings of the kubelet: its service restarts, and pods go on. Those that a node keeps for its life are for a new machine.',
  }));
}

/**
 * The machine step reports in status.size what the machine is. What is ordered and has not ended may still make it
 * another one.
 */
export const SAME_SIZE = [
  'has(resource.status) && has(resource.status.size)',
  "(!has(resource.spec.update) || has(resource.status.update) && resource.status.update.id == resource.spec.update.id && resource.status.update.phase in ['Succeeded', 'Failed'])",
  '(has(desired.spec.machine.instanceType) ? desired.spec.machine.instanceType == resource.status.size.instanceType : desired.spec.machine.class in resource.status.size.classes)',
].join(' && ');

/** In the order of rules, before those that patch. */
export const updated = (): readonly Updated[] => [
  {
    path: 'spec.taints',
    when: "new != null && new.exists(one, one.effect == 'NoExecute' && (old == null || !(one in old)))",
    updater: 'taints',
    why: 'A new NoExecute taint evicts pods, and asks no disruption budget: the node is drained first.',
  },
  {
    path: 'spec.version',
    when: version(),
    updater: 'kubernetes',
    why: 'A newer patch version: the packages of the node. Control planes, other minors and older versions are replaced.',
  },
  ...['sysctls', 'kernelModules', 'caCertificates'].map((field) => ({
    path: `spec.provisioning.${field}`,
    when: grown(),
    updater: 'node-configuration',
    why: 'Kernel settings and certificates can be added and changed; removing one takes effect only on a new machine.',
  })),
  {
    path: 'spec.provisioning.registries',
    when: registries(),
    updater: 'node-configuration',
    why: 'Mirrors of registries can be added and changed as well.',
  },
  ...kubeletRules(),
];

/** A change that no machine needs; new machines are made with it. */
export type Ignored = Pick<Updated, 'path' | 'when' | 'why'>;

export function ignored(): readonly Ignored[] {
  const all = Object.keys(BOOTSTRAPPER_TABLES).flatMap((provider) => bootstrapperTraits(provider).sources);
  return [...new Set(all)].toSorted().map((field) => ({
    path: `spec.bootstrap.config.${field}`,
    when: isOf(bootstrappersThat(({ sources }) => sources.includes(field))),
    why: 'Where the first boot gets programs from: a machine has them.',
  }));
}

/** @param providers  sorted, so that the same traits are the same rule */
function isOf(providers: readonly string[]): string {
  const [only = ''] = providers;
  return providers.length === 1 ? `${PROVIDER} == '${only}'` : `${PROVIDER} in ${celList(providers)}`;
}

function celList(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
