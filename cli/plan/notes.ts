/** What functions note of Clusters that they accept, such as who may reach a Kubernetes API: no claim is refused for it. */
import { at, type KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import type { Rendered } from '#simulator/render/render-once.ts';
import { placeholderNote } from './placeholder.ts';
import { withStatusOf } from './rendering.ts';

/** The reason of its event. */
export const NOTE = 'InfrastructureNote';

const STEP = /^Pipeline step "[^"]*": /;

/** Crossplane says first whose words they are. */
export function withoutStep(message: string): string {
  return message.replace(STEP, '');
}

/** A sentence for each note of one run that the Cluster does not have yet. */
export function notesOf(cluster: KubeObject, rendered: Pick<Rendered, 'results' | 'composite'>): readonly string[] {
  const notes = rendered.results.filter(({ reason }) => reason === NOTE).map(({ message }) => message);
  const isPlaced = at(cluster.status, 'controlPlaneEndpoint') !== undefined;
  const placeholder = isPlaced ? undefined : placeholderNote(withStatusOf(rendered, cluster));
  return [...notes, ...(placeholder === undefined ? [] : [placeholder])].map((message) => noteLine(cluster, message));
}

/** `Cluster "team-a/prod": what is noted` */
export function noteLine(cluster: Parameters<typeof describeObject>[0], message: string): string {
  return `${describeObject(cluster)}: ${withoutStep(message)}`;
}
