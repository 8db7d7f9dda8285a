/** What functions note of Clusters, as far as it is still so at the end of a simulation. */
import { API_VERSION, CONDITION } from '#lib/api/words.ts';
import type { Engine, Snapshot } from '#simulator/engine.ts';
import { NOTE, noteLine, withoutStep } from '../plan/notes.ts';
import { placeholderNote } from '../plan/placeholder.ts';

/** A sentence for each. */
export function clusterNotes({ composites, warnings }: Pick<Snapshot, 'composites' | 'warnings'>): readonly string[] {
  const clusters = composites.filter(({ kind }) => kind === 'Cluster');
  return clusters.flatMap((cluster) => {
    const { kind, namespace, name, conditions } = cluster;
    const said = conditions.find(({ type }) => type === CONDITION.infrastructureReady)?.message ?? '';
    return warnings
      .filter(
        ({ reason, ref }) => reason === NOTE && ref.kind === kind && ref.namespace === namespace && ref.name === name,
      )
      .filter(({ message }) => said.includes(withoutStep(message)))
      .map(({ message }) =>
        noteLine({ kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } }, message),
      );
  });
}

/** Of endpoints as the Composition was shipped with them. */
export function placeholderNotes(engine: Pick<Engine, 'list'>): readonly string[] {
  return engine.list({ apiVersion: API_VERSION, kind: 'Cluster' }).flatMap((cluster) => {
    const note = placeholderNote(cluster);
    return note === undefined ? [] : noteLine(cluster, note);
  });
}
