/**
 * A pair on the simulated cloud: its claim, until everything is Ready, and all objects that were readable meanwhile.
 */
import { EVERY_VERSION } from '../support/every-version.ts';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { createEngine, type Engine, type EngineOptions, type Programs } from '#simulator/engine.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { Sightings } from '../secrets/sightings.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import type { FirstBootData } from './first-boot-data.ts';

export interface Simulation {
  readonly engine: Engine;
  readonly ready: boolean;
  readonly sightings: Sightings;
}

/**
 * @param installed  Compositions, if not those of the project
 * @param programs  on machine images besides the usual ones
 */
export async function simulate(
  claim: readonly KubeObject[],
  functions: EngineOptions['functions'],
  installed: readonly KubeObject[] = compositions(),
  limitSeconds = 3600,
  programs: Programs = {},
): Promise<Simulation> {
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 0,
    functions,
    programs,
  });
  const sightings = new Sightings(engine);
  engine.load([...definitions(), ...installed, EVERY_VERSION]);
  for (const object of claim) engine.apply(object);
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds });
  return { engine, ready: reached, sightings };
}

export function machinesOf({ engine }: Simulation): readonly KubeObject[] {
  return engine.list({ apiVersion: API_VERSION, kind: 'Machine' });
}

/** Of one machine of every kind. */
export function firstBootDataOf(simulation: Simulation): readonly FirstBootData[] {
  const data = machinesOf(simulation).map((machine) => dataOf(simulation, machine));
  return [...new Map(data.map((one) => [one.of, one])).values()];
}

function dataOf({ engine }: Simulation, machine: KubeObject): FirstBootData {
  const { name = '', namespace = '' } = machine.metadata ?? {};
  const secret = engine.get({ apiVersion: 'v1', kind: 'Secret', namespace, name: `${name}-payload` });
  const read = (key: string): string => Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();
  const init = at(machine, 'spec', 'bootstrap', 'action') === 'Init';
  return {
    of: init ? 'init' : (stringAt(machine, 'spec', 'role') ?? ''),
    format: read(PAYLOAD_KEYS.format),
    text: read(PAYLOAD_KEYS.value),
  };
}
