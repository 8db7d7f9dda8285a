/** What came of a run of updaters, as its pod tells. */
import { type Json, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { oneLine } from '#lib/api/errors.ts';
import type { Run } from '#lib/node/situation.ts';

/** Bytes of what an updater printed that a message repeats. */
const TOLD = 300;

/** @param pod  undefined: there is none */
export function runOf(pod: KubeObject | undefined): Run {
  if (pod === undefined) return { state: 'None' };
  const ended = terminated(pod);
  if (ended === undefined) {
    const isOver = stringAt(pod, 'status', 'phase') === 'Failed';
    const why = stringAt(pod, 'status', 'message') ?? stringAt(pod, 'status', 'reason') ?? 'its pod failed';
    return isOver ? { state: 'Failed', updater: 'runner', cause: oneLine(why) } : { state: 'Running' };
  }
  const [first = '', ...printed] = ended.split('\n');
  if (first === 'Succeeded') return { state: 'Succeeded' };
  const [, updater = 'runner', code = ''] = /^Failed (\S+) ([0-9]+)$/.exec(first) ?? [];
  const end = withoutSecrets(oneLine(printed.join('\n'))).slice(-TOLD);
  const cause = code === '' ? 'it left no result' : `exit code ${code}`;
  return { state: 'Failed', updater, cause: end === '' ? cause : `${cause}: ${end}` };
}

/** The last words of a container that ended for good; one that failed is started again. */
function terminated(pod: KubeObject): string | undefined {
  const statuses = at(pod, 'status', 'containerStatuses');
  const status = (Array.isArray(statuses) ? (statuses as readonly Json[]) : []).find(isJsonObject);
  const state = at(status, 'state', 'terminated');
  return at(state, 'exitCode') === 0 ? (stringAt(state, 'message') ?? '') : undefined;
}

/** Long words with letters and digits may be tokens, keys and hashes. Paths, versions and names stay. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/[A-Za-z0-9+/=_-]{20,}/g, (word) =>
    /[0-9]/.test(word) && /[A-Za-z]/.test(word) && !word.includes('/') && !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(word)
      ? '***'
      : word,
  );
}
