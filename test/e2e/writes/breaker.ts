/** What Crossplane reports about its circuit breakers, by kind of XR, from its metrics. */

export interface Breaker {
  /** Events for reconciles of such XRs that were delivered or dropped. */
  readonly events: number;
  readonly opened: number;
}

/** By plural name of the kind: `clusters.slipway.dev`. */
export type Breakers = ReadonlyMap<string, Breaker>;

const LINE =
  /^circuit_breaker_(?<what>events|opens)_total\{controller="composite\/(?<controller>[^"]+)"[^}]*\} (?<count>[0-9.e+]+)$/;

/** Nothing while Crossplane is unavailable. */
export async function readBreakers(metricsUrl: string): Promise<Breakers> {
  try {
    return parseBreakers(await (await fetch(metricsUrl)).text());
  } catch {
    return new Map();
  }
}

export function parseBreakers(text: string): Breakers {
  const breakers = new Map<string, Breaker>();
  for (const line of text.split('\n')) {
    const { what, controller = '', count } = LINE.exec(line)?.groups ?? {};
    if (what === undefined) continue;
    const { events, opened } = breakers.get(controller) ?? { events: 0, opened: 0 };
    const more = Number(count);
    breakers.set(controller, what === 'events' ? { events: events + more, opened } : { events, opened: opened + more });
  }
  return breakers;
}

/** The difference between two readings; a Crossplane that was restarted in between counts from zero. */
export function breakersSince(before: Breakers, after: Breakers): Breakers {
  return new Map(
    [...after].map(([controller, { events, opened }]) => {
      const past = before.get(controller);
      if (past === undefined || past.events > events) return [controller, { events, opened }];
      return [controller, { events: events - past.events, opened: opened - past.opened }];
    }),
  );
}
