/**
 * Decides the add-ons of a cluster: charts and manifests that providers apply to it. They wait for the control plane,
 * are chosen for the version that it runs, and stay as they are when something about them cannot be read.
 */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { applyTtl } from '#lib/fn/input.ts';
import { Reply } from '#lib/fn/reply.ts';
import { LAW, mayGo, toldToLeave } from './leaving.ts';
import { markOf, objectsOf, type Rendered } from './manifests.ts';
import { asItIs, PROVIDER_CONFIGS, providerConfig } from './part.ts';
import { whyPending } from './pending.ts';
import { releaseKey, releaseOf } from './release.ts';
import { type Outcome, report } from './report.ts';
import { partsOf, readSituation, type Situation } from './situation.ts';
import { problemOfValues } from './sources.ts';
import { type WantedAddOn, wantedAddOns } from './wanted.ts';

export const run: CompositionFunction = (request) => {
  const situation = readSituation(request);
  const reply = new Reply(request, LAW);
  applyTtl(reply, situation.input);
  takeOver(reply, situation);
  const wanted = wantedAddOns(situation);
  const outcomes: Outcome[] = [];
  const applied = new Map<string, string>();
  // Those that nodes need come first, and the others wait for them.
  for (const addOn of inOrder(wanted.addOns)) {
    const rendered = withoutTwice(render(reply, situation, addOn), addOn.name, applied);
    outcomes.push(outcomeOf(reply, situation, addOn, rendered, outcomes));
  }
  const leaving = leave(reply, situation);
  composeProviderConfigs(reply, situation);
  report(reply, situation, { ...wanted, outcomes, leaving });
  return reply;
};

/** The step before carries forward whatever it does not know: this one decides what of its own stays. */
function takeOver(reply: Reply, { parts }: Situation): void {
  for (const { key } of parts) reply.drop(key);
}

function inOrder(addOns: readonly WantedAddOn[]): readonly WantedAddOn[] {
  const stage = (wanted: WantedAddOn['when']) => addOns.filter(({ when }) => when === wanted);
  return [...stage('NodesJoining'), ...stage('ControlPlaneReady')];
}

function render(reply: Reply, situation: Situation, addOn: WantedAddOn): Rendered {
  if ('problem' in addOn) return { problem: addOn.problem };
  if ('manifests' in addOn) return objectsOf(reply, situation, addOn);
  const problem = problemOfValues(reply, situation, addOn.chart) ?? problemOfNamespace(situation, addOn);
  if (problem !== undefined) return { problem };
  return { objects: new Map([[releaseKey(addOn.name), releaseOf(situation, addOn)]]) };
}

/** Two add-ons with the same object would overwrite each other, and one that leaves would take it from the other. */
function withoutTwice(rendered: Rendered, name: string, applied: Map<string, string>): Rendered {
  if ('problem' in rendered) return rendered;
  const objects = [...rendered.objects].map(([key, object]) => ({ object, mark: markOf(key) }));
  const twice = objects.find(({ mark }) => applied.has(mark));
  if (twice !== undefined)
    return {
      problem: `${describe(twice.object)} is in add-on ${applied.get(twice.mark)}, too; accepted: each object once`,
    };
  for (const { mark } of objects) applied.set(mark, name);
  return rendered;
}

/** In another namespace, a release is another one beside the first. */
function problemOfNamespace(
  { observed }: Situation,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): string | undefined {
  const existing = stringAt(observed.get(releaseKey(name)), 'spec', 'forProvider', 'namespace');
  if (existing === undefined || existing === namespace) return undefined;
  return `namespace "${namespace}" is not accepted; accepted: ${existing}, where it is installed, or another name`;
}

function outcomeOf(
  reply: Reply,
  situation: Situation,
  { name, when, isDefault }: WantedAddOn,
  rendered: Rendered,
  before: readonly Outcome[],
): Outcome {
  const existing = partsOf(situation, name);
  if ('problem' in rendered) {
    for (const { key, object } of existing) reply.compose(key, asItIs(object), true);
    return { name, isDefault, reason: 'NotApplied', why: rendered.problem };
  }
  const closed = existing.length > 0 ? undefined : whyClosed(situation, when, before);
  if (closed !== undefined) return { name, isDefault, reason: 'WaitingForControlPlane', why: closed };
  const whys = [...rendered.objects].flatMap(([key, object]) => {
    const why = whyPending(object, situation.observed.get(key));
    reply.compose(key, object, why === undefined);
    return why === undefined ? [] : [rendered.objects.size === 1 ? why : `${describe(object)}: ${why}`];
  });
  return { name, isDefault, reason: 'NotReady', why: whys[0] };
}

function whyClosed(
  { isReachable, isControlPlaneAvailable }: Situation,
  when: WantedAddOn['when'],
  before: readonly Outcome[],
): string | undefined {
  if (!isReachable) return 'waiting for the control plane to be initialized';
  if (when === 'NodesJoining') return undefined;
  if (!isControlPlaneAvailable) return 'waiting for the control plane to be available';
  // Those before it are of NodesJoining, or passed this gate themselves.
  const first = before.find(({ why, reason }) => why !== undefined && reason === 'WaitingForControlPlane');
  return first === undefined ? undefined : `waiting for add-on ${first.name}`;
}

function describe({ spec }: KubeObject): string {
  const manifest = at(spec, 'forProvider', 'manifest');
  return `${stringAt(manifest, 'kind')} ${stringAt(manifest, 'metadata', 'name')}`;
}

/** Names of add-ons that go, or are told what to do when they go. */
function leave(reply: Reply, { parts }: Situation): readonly string[] {
  const names = new Set<string>();
  for (const { key, object, addOn } of parts) {
    if (reply.desires(key)) continue;
    names.add(addOn);
    if (object.metadata?.deletionTimestamp === undefined && !mayGo(object))
      reply.compose(key, toldToLeave(object), true);
  }
  return [...names].toSorted();
}

/** One of a provider stays once it exists. */
function composeProviderConfigs(reply: Reply, situation: Situation): void {
  const { observed } = situation;
  const used = new Set([...reply.desiredObjects()].map(({ apiVersion }) => apiVersion));
  for (const [apiVersion, key] of PROVIDER_CONFIGS)
    if (used.has(apiVersion) || observed.has(key))
      reply.compose(key, providerConfig(situation, apiVersion), observed.has(key));
}
