/** The example of a cloud on its simulation, from claim to Ready, with what was composed meanwhile. */
import type { KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Engine } from '#simulator/engine.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { Sightings } from '../secrets/sightings.ts';
import { exampleClaims, installedEngine } from '../support/example.ts';

export interface Played {
  readonly engine: Engine;
  readonly sightings: Sightings;
  readonly reached: boolean;
  /** Objects of the cloud as they were first seen, before a provider wrote to them; by kind and name. */
  readonly first: ReadonlyMap<string, KubeObject>;
  list(kind: string, apiVersion?: string): readonly KubeObject[];
}

/**
 * @param cloud name of the folder of its example, and of the domain of its kinds
 * @param noted called when an object of the cloud is seen for the first time
 */
export async function playExample(
  cloud: string,
  noted: (object: KubeObject, played: Pick<Played, 'list'>) => void = () => undefined,
): Promise<Played> {
  const engine = installedEngine();
  const sightings = new Sightings(engine);
  const first = new Map<string, KubeObject>();
  const list = (kind: string, apiVersion = 'slipway.dev/v1alpha1'): readonly KubeObject[] =>
    engine.list({ apiVersion, kind });
  engine.subscribe((happening) => {
    const object = happening.type === 'object' ? engine.get(happening.ref) : undefined;
    if (object === undefined || !/^([a-z]+\.)?[a-z]+\.m\.upbound\.io\//.test(object.apiVersion)) return;
    const key = `${object.kind} ${object.metadata?.name}`;
    if (first.has(key)) return;
    first.set(key, object);
    noted(object, { list });
  });
  for (const claim of exampleClaims(cloud)) engine.apply(claim);
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  return { engine, sightings, reached, first, list };
}

export const externalName = ({ metadata }: KubeObject): string =>
  metadata?.annotations?.[CROSSPLANE.externalName] ?? '';
