/** What Crossplane itself says of its circuit breakers, by kind of XR, read from its metrics. */

export interface Breaker {
  /** Events that reached reconciles of such XRs, or were dropped on their way. */
  readonly events: number;
  readonly opened: number;
}

/** By plural name of the kind: `clusters.slipway.dev`. */
export type Breakers = ReadonlyMap<string, Breaker>;

const LINE =
  /^circuit_breaker_(?<what>events|opens)_total\{controller="composite\/(?<controller>[^"]+)"[^}]*\} (?<count>[0-9.e+]+)$/;

/** Nothing while Crossplane is away. */
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

/** What happened between two readings; a Crossplane that was started again meanwhile counts from nothing. */
export function breakersSince(before: Breakers, after: Breakers): Breakers {
  return new Map(
    [...after].map(([controller, { events, opened }]) => {
      const past = before.get(controller);
      if (past === undefined || past.events > events) return [controller, { events, opened }];
      return [controller, { events: events - past.events, opened: opened - past.opened }];
    }),
  );
}
