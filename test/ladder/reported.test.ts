/**
 * What the simulated cloud reports is what the providers' CRDs know. An API server drops anything else, and a stand-in
 * for the providers would write it again and again.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { createEngine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions, ROOT } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { inProcess } from '../support/in-process.ts';

test.skipIf(!crdsAvailable())(
  'every managed resource of the example is valid with what is reported of it',
  async () => {
    const engine = createEngine({
      clouds: SIMULATED_CLOUDS,
      start: new Date('2026-01-01T00:00:00Z'),
      seed: 0,
      functions: inProcess,
    });
    engine.load([...definitions(), ...compositions()]);
    for (const claim of readObjects([join(ROOT, 'examples/aws')])) engine.apply(claim);
    await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
    const kinds = SIMULATED_CLOUDS.flatMap((cloud) => cloud.kinds);
    const objects = kinds.flatMap(({ apiVersion, kind }) => engine.list({ apiVersion, kind }));
    expect(objects.length).toBeGreaterThan(60);
    const wrong = objects.flatMap((object) =>
      validateManaged(object)
        .filter((line) => line.startsWith('status'))
        .map((line) => `${object.kind}: ${line}`),
    );
    expect([...new Set(wrong)]).toEqual([]);
  },
);
