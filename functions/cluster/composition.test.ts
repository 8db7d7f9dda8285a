import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { crdsAvailable, validateManaged } from '../../test/support/crds.ts';
import { aClaim, call } from './cluster.fixture.ts';
import { ClusterInput } from './input.ts';

const file = join(import.meta.dirname, '../../compositions/aws/cluster.yaml');
const composition = parse(readFileSync(file, 'utf8')) as KubeObject;
const [step] = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
const input = at(step, 'input') as JsonObject;

test.skipIf(!crdsAvailable())('Crossplane accepts the Composition for clusters on AWS', () => {
  expect(validateManaged(composition)).toEqual([]);
});

test('its step accepts the input, and every region in its map can run a cluster', async () => {
  const regions = Object.values(ClusterInput.parse(input).regions);
  for (const region of regions) {
    // Of any image: the placeholders are of three regions.
    const controlPlane = { machine: { class: 'standard-2', image: 'ami-0123456789abcdef0' } };
    const reply = await call({ claim: aClaim({ region, controlPlane }), input });
    expect(reply.status['infrastructure']).toMatchObject({ region });
  }
  expect(regions).not.toHaveLength(0);
});
