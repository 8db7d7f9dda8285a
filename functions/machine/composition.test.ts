import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { crdsAvailable, validateManaged } from '../../test/support/crds.ts';
import { aCluster, aMachine, anInfrastructure, play, WORLD } from './machine.fixture.ts';
import { MachineInput } from './input.ts';

const file = join(import.meta.dirname, '../../compositions/aws/machine.yaml');
const composition = parse(readFileSync(file, 'utf8')) as KubeObject;
const steps = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
const input = at(steps.at(-1), 'input') as JsonObject;
const { classes, images } = MachineInput.parse(input);

test.skipIf(!crdsAvailable())('Crossplane accepts the Composition for machines on AWS', () => {
  expect(validateManaged(composition)).toEqual([]);
});

test('first-boot data is planned, then rendered, then used', () => {
  expect(steps.map((step) => [step['step'], at(step, 'functionRef', 'name')])).toEqual([
    ['bootstrap', 'slipway-function-bootstrap'],
    ['provisioning', 'slipway-function-provisioning'],
    ['machine', 'slipway-function-machine'],
  ]);
});

const offered = Object.entries(images).flatMap(([image, regions]) =>
  Object.entries(regions).map(([region, ami]) => ({ image, region, ami, version: image.split('/')[1] ?? '' })),
);

test.for(offered)('a claim for $version in $region that names no image gets $ami', async ({ region, ami, version }) => {
  const { failureDomain: _any, ...spec } = aMachine({ version }).spec ?? {};
  const machine = { ...aMachine(), spec };
  const clusters = [aCluster(anInfrastructure({ region }))];
  const { replies } = await play({ machine, clusters, input }, WORLD.handedOver);
  expect(at(replies.at(-1)?.resources.get('instance')?.resource, 'spec', 'forProvider', 'ami')).toBe(ami);
  expect(ami).toMatch(/^ami-[0-9a-f]{17}$/);
});

test('every class of size is mapped to an instance type', () => {
  expect(Object.keys(classes)).toEqual(
    expect.arrayContaining(['standard-2', 'standard-4', 'standard-8', 'memory-4', 'compute-4']),
  );
  for (const type of Object.values(classes)) expect(type).toMatch(/^[a-z0-9]+\.[0-9a-z]+$/);
});
