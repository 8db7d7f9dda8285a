/** The example of a flavour on its simulated cloud, with the functions in process: of AWS, if none is named. */
import { join } from 'node:path';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { EVERY_VERSION } from './every-version.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { createEngine, type Engine, type EngineOptions } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions, ROOT } from '../../cli/files/repository.ts';
import { inProcess } from './in-process.ts';

/** Its claims, and edits of them in edits/. */
export const EXAMPLE = join(ROOT, 'examples/aws');

/**
 * An engine with Slipway installed and no claim yet.
 * @param options  instead of seed 0, no faults and the shipped functions
 */
export function installedEngine(options: Partial<EngineOptions> = {}): Engine {
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 0,
    functions: inProcess,
    ...options,
  });
  engine.load([...definitions(), ...compositions(), EVERY_VERSION]);
  return engine;
}

/**
 * The same with all claims of the example applied.
 * @param flavour  name of a folder in examples/
 */
export function exampleEngine(options: Partial<EngineOptions> = {}, flavour = 'aws'): Engine {
  const engine = installedEngine(options);
  for (const claim of exampleClaims(flavour)) engine.apply(claim);
  return engine;
}

/** Everything in the folder: claims, and what the owners of hosts write. */
export function exampleClaims(flavour = 'aws'): readonly KubeObject[] {
  return readObjects([join(ROOT, 'examples', flavour)]);
}
