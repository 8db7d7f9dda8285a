/** The example of a cloud on its simulation, from claim to Ready, with what was composed meanwhile. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, NODE_API_VERSION } from '#lib/api/words.ts';
import { yamlText } from '#lib/api/yaml.ts';
import type { Engine } from '#simulator/engine.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { Sightings } from '../secrets/sightings.ts';
import { validateManaged } from '../support/crds.ts';
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
    if (object === undefined || !/^([a-z0-9]+\.)?[a-z]+\.m\.upbound\.io\//.test(object.apiVersion)) return;
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

/** Machines that were put behind a load balancer too early: each but the first one must have a ready node by then. */
export function earlyMachines(kind: string) {
  const early: string[] = [];
  const noted = (object: KubeObject, { list }: Pick<Played, 'list'>): void => {
    if (object.kind !== kind) return;
    const machine = (object.metadata?.name ?? '').replace(/-endpoint$/, '');
    const own = list('Machine').find((one) => one.metadata?.name === machine);
    const node = list('WorkloadNode', NODE_API_VERSION).find((one) => one.metadata?.name === machine);
    const serves = conditionOf(node, 'Ready')?.status === 'True';
    if (!serves && at(own, 'spec', 'bootstrap', 'action') !== 'Init') early.push(machine);
  };
  return { early: early as readonly string[], noted };
}

/** What the CRDs of providers say against anything that was composed. */
export function refusedByProvider({ first }: Played): readonly string[] {
  return [...first].flatMap(([key, { status: _status, ...object }]) =>
    validateManaged(object).map((error) => `${key}: ${error}`),
  );
}

/** Places of empty lists, empty maps and null in what providers are told, first and last, of anything composed. */
export function emptyIn({ first, engine }: Played): readonly string[] {
  return [...first].flatMap(([key, object]) => {
    const { name = '', namespace = '' } = object.metadata ?? {};
    const last = engine.get({ apiVersion: object.apiVersion, kind: object.kind, name, namespace });
    return [object, last].flatMap((one) =>
      ['forProvider', 'initProvider'].flatMap((part) => emptyBelow(one?.spec?.[part], `${key}: ${part}`)),
    );
  });
}

function emptyBelow(value: unknown, path: string): readonly string[] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object') return value === null ? [path] : [];
  const below = Object.entries(value);
  return below.length === 0 ? [path] : below.flatMap(([key, one]) => emptyBelow(one, `${path}.${key}`));
}

export const isOfFirstMachine = ({ metadata }: KubeObject): boolean =>
  /^prod-control-plane-0-[a-z0-9]{5}/.test(metadata?.name ?? '');

/**
 * Objects as a golden file has them. @param key  to sort them by
 * @param hide  what must not be in a golden file becomes another value
 */
export function goldenOf(
  objects: readonly KubeObject[],
  key: (object: KubeObject) => string,
  hide = (_key: string, value: unknown): unknown => value,
): string {
  const shown = (object: KubeObject): KubeObject => ({
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: object.metadata?.name ?? '',
      annotations: { [CROSSPLANE.externalName]: externalName(object) },
    },
    spec: JSON.parse(JSON.stringify(object.spec ?? {}), hide) as JsonObject,
  });
  return objects
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((object) => yamlText(shown(object)))
    .join('---\n');
}
