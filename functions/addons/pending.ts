/** Why an object of an add-on is not ready yet: what it was told, what it reports, and whether the two agree. */
import { conditionOf, whyNotReady } from '#lib/api/conditions.ts';
import { at, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { withoutAnswers } from './heard.ts';

/** Undefined when it is ready. A provider reports the last change until it has seen the next one. */
export function whyPending(desired: KubeObject, observed: KubeObject | undefined): string | undefined {
  const why = whyNotReady(observed);
  if (observed === undefined) return why;
  if (why !== undefined) return withoutAnswers(saysNothing(observed) ? (ofRelease(observed) ?? why) : why);
  if (!isTold(desired, observed) || isBehind(observed)) return 'the provider has not seen its last change yet';
  const wanted = stringAt(desired.spec, 'forProvider', 'chart', 'version');
  const runs = stringAt(observed.status, 'atProvider', 'version');
  if (wanted === undefined || runs === undefined || plain(wanted) === plain(runs)) return undefined;
  return `chart ${wanted} is not installed yet; it is ${runs}`;
}

function saysNothing(object: KubeObject): boolean {
  return conditionOf(object, 'Synced')?.status !== 'False' && conditionOf(object, 'Ready')?.message === undefined;
}

/** provider-helm says what Helm said beside the conditions. */
function ofRelease({ status }: KubeObject): string | undefined {
  const [state, description] = ['state', 'releaseDescription'].map((field) => stringAt(status, 'atProvider', field));
  return state === undefined || description === undefined ? undefined : `the release is ${state}: ${description}`;
}

const TOLD = [['chart', 'version'], ['chart', 'repository'], ['values'], ['valuesFrom'], ['manifest']] as const;

function isTold(desired: KubeObject, observed: KubeObject): boolean {
  return TOLD.every((path) =>
    sameJson(at(desired.spec, 'forProvider', ...path), at(observed.spec, 'forProvider', ...path)),
  );
}

function isBehind({ metadata, status }: KubeObject): boolean {
  const seen = at(status, 'observedGeneration');
  return typeof seen === 'number' && typeof metadata?.generation === 'number' && seen < metadata.generation;
}

function plain(version: string): string {
  return version.replace(/^v/, '');
}
