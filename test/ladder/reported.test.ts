/**
 * The CRDs of the providers have all fields that the simulated cloud reports. An API server would drop any other field,
 * and fake providers would write it again and again.
 */
import { expect, test } from 'vitest';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { exampleEngine } from '../support/example.ts';

test.skipIf(!crdsAvailable())('every managed resource of the example is valid with its reported status', async () => {
  const engine = exampleEngine();
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
});
