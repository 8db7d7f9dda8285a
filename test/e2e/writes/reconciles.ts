/** How often Crossplane reconciled the XRs of each kind, from its metrics. */

/** By plural name of the kind: `machines.slipway.dev`. */
export type Reconciles = ReadonlyMap<string, number>;

const LINE = /^controller_runtime_reconcile_total\{controller="composite\/(?<kind>[^"]+)"[^}]*\} (?<count>[0-9.e+]+)$/;

export async function readReconciles(metricsUrl: string): Promise<Reconciles> {
  return parseReconciles(await (await fetch(metricsUrl)).text());
}

/** Results, such as an error or a requeue, have a line each. */
export function parseReconciles(text: string): Reconciles {
  const reconciles = new Map<string, number>();
  for (const line of text.split('\n')) {
    const { kind, count } = LINE.exec(line)?.groups ?? {};
    if (kind !== undefined) reconciles.set(kind, (reconciles.get(kind) ?? 0) + Number(count));
  }
  return reconciles;
}

/** `machines.slipway.dev 36`. */
export function reconcilesSince(before: Reconciles, after: Reconciles): readonly string[] {
  return [...after].map(([kind, count]) => `${kind} ${count - (before.get(kind) ?? 0)}`);
}
