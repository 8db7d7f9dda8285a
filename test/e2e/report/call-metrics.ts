/** How often each function was called and how long it took, from the metrics that it serves. */
import type { PackageRuntime } from '../runtime/package-runtime.ts';

export interface CallMetrics {
  readonly calls: number;
  /** Cumulative number of calls by upper bound in seconds, as in Prometheus. */
  readonly buckets: ReadonlyMap<number, number>;
}

export type AllCalls = ReadonlyMap<string, CallMetrics>;

/** A function that is unavailable is left out. */
export async function readCalls(runtime: PackageRuntime): Promise<AllCalls> {
  const read = [...runtime.functions].map(
    async ([name, process]): Promise<readonly [string, CallMetrics] | undefined> => {
      try {
        return [name, parseCalls(await (await fetch(process.metricsUrl)).text())];
      } catch {
        return undefined;
      }
    },
  );
  return new Map((await Promise.all(read)).filter((entry) => entry !== undefined));
}

const BUCKET = /^slipway_function_call_seconds_bucket\{.*le="([^"]+)".*\} ([0-9.e+]+)$/;
const COUNT = /^slipway_function_call_seconds_count(?:\{.*\})? ([0-9.e+]+)$/;

export function parseCalls(text: string): CallMetrics {
  const buckets = new Map<number, number>();
  let calls = 0;
  for (const line of text.split('\n')) {
    const [, bound, within] = BUCKET.exec(line) ?? [];
    if (bound !== undefined) buckets.set(bound === '+Inf' ? Infinity : Number(bound), Number(within));
    const [, count] = COUNT.exec(line) ?? [];
    if (count !== undefined) calls = Number(count);
  }
  return { calls, buckets };
}

/** The difference between two readings; a process that was restarted in between counts from zero. */
export function callsSince(before: AllCalls, after: AllCalls): AllCalls {
  return new Map(
    [...after].map(([name, { calls, buckets }]) => {
      const past = before.get(name);
      if (past === undefined || past.calls > calls) return [name, { calls, buckets }];
      const rest = [...buckets].map(([bound, within]): [number, number] => [
        bound,
        within - (past.buckets.get(bound) ?? 0),
      ]);
      return [name, { calls: calls - past.calls, buckets: new Map(rest) }];
    }),
  );
}

/** The smallest bound, in seconds, for 95 of 100 calls; undefined without calls. */
export function p95({ calls, buckets }: CallMetrics): number | undefined {
  if (calls === 0) return undefined;
  const bounds = [...buckets].toSorted(([a], [b]) => a - b);
  return bounds.find(([, within]) => within >= calls * 0.95)?.[0];
}
