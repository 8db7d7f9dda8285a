/**
 * What happened to one Node and to its machine, from what both API servers wrote down and from the cloud. All of them
 * use the clock of this host.
 */
import { at } from '#lib/api/json.ts';
import type { Request } from './log.ts';

export const STEPS = ['cordoned', 'evicted', 'empty', 'Node deleted', 'released', 'terminated'] as const;
export type What = (typeof STEPS)[number];

export interface Step {
  readonly what: What;
  /** UTC. */
  readonly at: string;
}

export interface Evidence {
  /** Requests to the management cluster, and to the workload cluster. */
  readonly management: readonly Request[];
  readonly workload: readonly Request[];
  /** When the cloud deleted the machine, UTC; undefined: it did not. */
  readonly terminated: string | undefined;
}

/** @param pod  name of the pod on it that has to be evicted. Steps are in the order of time */
export function historyOf(name: string, pod: string, { management, workload, terminated }: Evidence): readonly Step[] {
  const done = (
    requests: readonly Request[],
    verb: string,
    path: string,
    matters: (request: Request) => boolean = () => true,
  ): string | undefined =>
    requests.findLast(
      (request) =>
        request.verb === verb &&
        pathOf(request) === path &&
        (request.responseStatus?.code ?? 0) < 300 &&
        matters(request),
    )?.stageTimestamp;
  const times: Readonly<Record<What, string | undefined>> = {
    cordoned: done(workload, 'patch', `nodes/${name}`, isCordon),
    evicted: done(workload, 'create', `pods/${pod}/eviction`),
    // The kubelet deletes what has ended, and after the eviction nobody else does.
    empty: done(workload, 'delete', `pods/${pod}`),
    'Node deleted': done(workload, 'delete', `nodes/${name}`),
    released: done(management, 'patch', `workloadnodes/${name}`),
    terminated,
  };
  return STEPS.flatMap((what) => ({ what, at: times[what] ?? '' }))
    .filter((step) => step.at !== '')
    .toSorted((a, b) => microseconds(a.at) - microseconds(b.at));
}

/** Why a machine was not drained before it was terminated; undefined: it was. */
export function undrained(history: readonly Step[]): string | undefined {
  const seen = history.map(({ what }) => what);
  return seen.join() === STEPS.join() ? undefined : `${seen.join(', ') || 'nothing'}; expected ${STEPS.join(', ')}`;
}

function isCordon({ requestObject }: Request): boolean {
  return at(requestObject, 'spec', 'unschedulable') === true;
}

function pathOf({ objectRef: { resource, name, subresource } = {} }: Request): string {
  return [resource, name, subresource].filter((part) => part !== undefined).join('/');
}

/** Since 1970. Kubernetes writes six digits, and Date reads three of them. */
function microseconds(stamp: string): number {
  const [, digits = ''] = /\.(\d+)Z$/.exec(stamp) ?? [];
  const whole = Date.parse(stamp.replace(/\.\d+Z$/, 'Z'));
  return whole * 1000 + Number(digits.padEnd(6, '0').slice(0, 6));
}
