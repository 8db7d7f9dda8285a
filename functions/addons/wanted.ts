/** Which add-ons a cluster is to have: those of its claim, and the defaults of the platform that it does not replace. */
import type { Chart, Manifests } from '#lib/api/fields/addons.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { bringsPart } from '#lib/cloud/traits.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { bootstrapperTraits } from '../bootstrap/traits.ts';
import { type Default, INPUT_NAME } from './input.ts';
import { filled } from './placeholders.ts';
import { outsideRepositories } from './repository.ts';
import { isInitialized, partsOf, reachedVersion, type Situation } from './situation.ts';

interface Common {
  readonly name: string;
  readonly policy: 'Keep' | 'Delete';
  readonly when: 'NodesJoining' | 'ControlPlaneReady';
  readonly wait: boolean;
  /** Whether it is chosen for the minor version of Kubernetes, and workers wait for it. */
  readonly isDefault: boolean;
}

export interface ChartAddOn extends Common {
  readonly chart: Chart;
  readonly namespace: string;
}

export interface ManifestAddOn extends Common {
  readonly manifests: Manifests;
}

/** One that cannot be rendered: what exists of it stays as it is. */
export interface HeldAddOn extends Common {
  readonly problem: string;
}

export type WantedAddOn = ChartAddOn | ManifestAddOn | HeldAddOn;

export interface Wanted {
  readonly addOns: readonly WantedAddOn[];
  /** Undefined: the Composition has none. */
  readonly defaults: string | undefined;
  /** What is no problem. */
  readonly notes: readonly string[];
  /** The notes on add-ons that lack the version of the claim. */
  readonly behind: readonly string[];
}

const NAMESPACE = 'kube-system';

/** Throws InvalidClaim. */
export function wantedAddOns(situation: Situation): Wanted {
  const { cluster, input } = situation;
  const defaults = whetherInstalled(situation);
  const claimed = new Map(cluster.spec.addons.map((addOn) => [addOn.name, addOn]));
  const taken = input.defaults.filter((one) => isTaken(one, situation, claimed.get(one.name), defaults));
  const behind = taken.flatMap((one) => noteMinorWithout(one, situation));
  const ofPlatform = taken.map((one) => fromDefault(one, situation));
  const known = new Set(input.defaults.map(({ name }) => name));
  const ofClaim: WantedAddOn[] = [];
  const notes: string[] = [...behind];
  for (const [index, { chart, manifests, default: choice, namespace, ...common }] of cluster.spec.addons.entries()) {
    if (chart !== undefined) {
      const outside = outsideRepositories(situation, chart, index);
      if (outside !== undefined && 'note' in outside) notes.push(outside.note);
      if (outside !== undefined && 'problem' in outside) ofClaim.push({ ...common, isDefault: false, ...outside });
      else ofClaim.push({ ...common, isDefault: false, chart, namespace: namespace ?? NAMESPACE });
    } else if (manifests !== undefined) ofClaim.push({ ...common, isDefault: false, manifests });
    else if (!known.has(common.name)) {
      refuseUnknown(situation, common.name, index, [...known]);
      const line =
        known.size === 0
          ? `${INPUT_NAME} has no default of this name, nor any other`
          : `${INPUT_NAME} has no default of this name; accepted: ${oneOf(common.name, [...known])}`;
      if (choice === 'Install') ofClaim.push({ ...common, isDefault: false, problem: line });
      else notes.push(`${common.name} is not there to be skipped`);
    }
  }
  return { addOns: [...ofPlatform, ...ofClaim], defaults, notes, behind };
}

type Claimed = Situation['cluster']['spec']['addons'][number];

/** Decided once: a cluster that is older than the defaults has what somebody installed by hand. */
function whetherInstalled(situation: Situation): string | undefined {
  const { input, previous, status } = situation;
  if (previous.defaults !== undefined || input.defaults.length === 0) return previous.defaults;
  const hasSome = input.defaults.some(({ name }) => partsOf(situation, name).length > 0);
  return isInitialized(status) && !hasSome ? 'Left' : 'Installed';
}

function isTaken(
  { name, brings }: Default,
  situation: Situation,
  claimed: Claimed | undefined,
  defaults: string | undefined,
): boolean {
  if (claimed !== undefined) return claimed.default === 'Install';
  if (partsOf(situation, name).length > 0) return true;
  if (defaults !== 'Installed') return false;
  const { provider, config } = situation.cluster.spec.bootstrap;
  return brings === undefined || !bringsPart(bootstrapperTraits(provider), brings, config);
}

function fromDefault(one: Default, situation: Situation): WantedAddOn {
  const { name, policy, when, wait, namespace = NAMESPACE, chart, versions } = one;
  const common = { name, policy, when, wait, isDefault: true };
  const reached = reachedVersion(situation);
  if (reached === undefined && partsOf(situation, name).length > 0)
    return { ...common, problem: 'waiting for the version of the control plane' };
  const minor = minorOf(reached ?? situation.cluster.spec.version);
  const row = versions.find(({ kubernetes }) => kubernetes.includes(minor));
  if (row === undefined) {
    const accepted = versions.flatMap(({ kubernetes }) => kubernetes).join(', ');
    return { ...common, problem: `${INPUT_NAME} has no version of it for Kubernetes ${minor}; accepted: ${accepted}` };
  }
  const { value, unknown } = filled({ ...chart.values, ...row.values }, situation);
  if (unknown.length > 0) return { ...common, problem: `waiting for ${unknown.join(', ')} of the Cluster` };
  const { repository, name: chartName } = chart;
  const values = value as Record<string, unknown>;
  const rendered = { repository, name: chartName, version: row.version, values, valuesFrom: [] };
  return { ...common, chart: rendered, namespace };
}

/** Workers wait for the add-ons of a new version: said before the control plane has it. */
function noteMinorWithout({ name, versions }: Default, { cluster }: Situation): readonly string[] {
  const minor = minorOf(cluster.spec.version);
  const minors = versions.flatMap(({ kubernetes }) => kubernetes);
  if (minors.includes(minor)) return [];
  return [
    `${INPUT_NAME} has no version of add-on ${name} for Kubernetes ${minor}, so that workers would not get it; there are: ${minors.join(', ')}`,
  ];
}

/** `1.37` of `v1.37.1`. */
function minorOf(version: string): string {
  return /^v?(1\.[0-9]+)/.exec(version)?.[1] ?? version;
}

/** A cluster that exists goes on without it; where nothing exists yet, it is a typing error that nobody would notice. */
function refuseUnknown(situation: Situation, name: string, index: number, known: readonly string[]): void {
  const { observed, status, owner } = situation;
  if (observed.size > 0 || isInitialized(status) || known.length === 0) return;
  const field = `spec.addons[${index}].name`;
  throw refusalFor(owner, field, `"${name}" is no default of this platform; accepted: ${oneOf(name, known)}`);
}
