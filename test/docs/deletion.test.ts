/** What docs/deletion.md shows is what its commands print. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringAt } from '#lib/api/json.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { exampleEngine } from '../support/example.ts';

test('the id of the cluster is that of the example', async () => {
  const engine = exampleEngine();
  const id = (): string | undefined => {
    const cluster = engine.get({
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Cluster',
      namespace: 'team-a',
      name: 'prod',
    });
    return stringAt(cluster?.status, 'infrastructure', 'id');
  };
  await engine.runUntil(() => id() !== undefined, { limitSeconds: 600 });
  const shown = readFileSync(join(ROOT, 'docs/deletion.md'), 'utf8').match(/\bteam-a-prod-[a-z0-9]+\b/g);
  expect(new Set(shown)).toEqual(new Set([id()]));
});
