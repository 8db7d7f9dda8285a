/** What came of a run of updaters, as its pod tells. */
import { oneLine } from '#lib/api/errors.ts';
import { type Json, type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { Run } from '#lib/node/situation.ts';
import { masked } from './masked.ts';

/** Characters of what an updater printed that a message repeats: its end. */
const TOLD = 700;

/**
 * @param pod  undefined: there is none
 * @param scripts  what may not be repeated; undefined where they are gone, and nothing that was printed is repeated
 */
export function runOf(pod: KubeObject | undefined, scripts: readonly string[] | undefined): Run {
  if (pod === undefined) return { state: 'None' };
  const name = { pod: pod.metadata?.name ?? '' };
  const ended = lastWordsOf(pod);
  if (ended !== undefined) return { ...name, ...resultOf(ended, scripts) };
  // It ran until its deadline, or the kubelet ended it: the unit on the host has gone on.
  if (stringAt(pod, 'status', 'phase') === 'Failed') return { state: 'None' };
  const waiting = at(containerOf(pod), 'state', 'waiting');
  const reason = stringAt(waiting, 'reason') ?? '';
  if (!HINDRANCES.has(reason)) return { ...name, state: 'Running' };
  const said = stringAt(containerOf(pod), 'lastState', 'terminated', 'message') ?? stringAt(waiting, 'message');
  const detail = oneLine(masked(said ?? '', scripts ?? [])).slice(-TOLD);
  const why = detail === '' ? reason : `${reason}: ${detail}`;
  return { ...name, state: 'Waiting', cause: `Pod "${pod.metadata?.namespace}/${name.pod}" does not start: ${why}` };
}

/** Of the kubelet, for containers that do not begin by themselves. */
const HINDRANCES: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RegistryUnavailable',
  'RunContainerError',
]);

function resultOf(text: string, scripts: readonly string[] | undefined): Run {
  const [first = '', ...printed] = text.split('\n');
  if (first === 'Succeeded') return { state: 'Succeeded' };
  const [, updater = 'runner', how = ''] = /^Failed (\S+) (.+)$/.exec(first) ?? [];
  const cause = causeOf(how);
  if (scripts === undefined) return { state: 'Failed', updater, cause: `${cause}; what it printed is not repeated` };
  const end = oneLine(masked(printed.join('\n'), scripts))
    .trim()
    .slice(-TOLD);
  return { state: 'Failed', updater, cause: end === '' ? cause : `${cause}: ${end}` };
}

function causeOf(how: string): string {
  if (how === '') return 'it left no result';
  if (how === 'timeout') return 'it took too long';
  return /^[0-9]+$/.test(how) ? `exit code ${how}` : oneLine(how);
}

/** Of a container that ended for good; one that failed is started again. */
function lastWordsOf(pod: KubeObject): string | undefined {
  const state = at(containerOf(pod), 'state', 'terminated');
  return at(state, 'exitCode') === 0 ? (stringAt(state, 'message') ?? '') : undefined;
}

function containerOf(pod: KubeObject): JsonObject | undefined {
  const statuses = at(pod, 'status', 'containerStatuses');
  return (Array.isArray(statuses) ? (statuses as readonly Json[]) : []).find(isJsonObject);
}
