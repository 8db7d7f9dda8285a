/** XRs of a live cluster, read by listing. */
import type { Connection } from '#lib/kube/connect.ts';
import type { CompositeFacts } from '#simulator/engine.ts';
import { compositeFacts } from '#simulator/facts/composites.ts';
import { errorLine, UsageError } from '../exit.ts';
import { notInstalled, observeXrs } from '../plan/live.ts';

/** @param namespace undefined: all. Notes what cannot be read on standard error. */
export async function liveComposites(
  connection: Connection,
  namespace: string | undefined,
): Promise<readonly CompositeFacts[]> {
  const { connect } = await import('#lib/kube/connect.ts');
  const notes = new Set<string>();
  const reader = await connect(connection);
  const absent = await notInstalled(reader);
  if (absent !== undefined) throw new UsageError(`cannot read claims: ${absent}; accepted: a cluster with Slipway`);
  const { xrs, composed, unread } = await observeXrs(reader, namespace, (note) => notes.add(note));
  for (const note of notes) process.stderr.write(errorLine(note));
  const objects = new Map([...xrs, ...composed].map((object) => [keyOf({ ...object, ...object.metadata }), object]));
  const facts = compositeFacts(xrs, (ref) => objects.get(keyOf(ref)));
  return facts.map((xr) => ({ ...xr, composed: xr.composed.filter(({ kind }) => !unread.has(kind)) }));
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

function keyOf({ apiVersion, kind, namespace = '', name = '' }: Named): string {
  return [apiVersion, kind, namespace, name].join('|');
}
