/** What functions note of Clusters, as far as it is still so at the end of a simulation. */
import { CONDITION } from '#lib/api/words.ts';
import type { Snapshot } from '#simulator/engine.ts';
import { NOTE, noteLine, withoutStep } from '../plan/notes.ts';

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
