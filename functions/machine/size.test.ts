import { describe, expect, it, test } from 'vitest';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { after, anInput, answer, ANY_OVERRIDE, lived, WORLD } from './machine.fixture.ts';

const CLASSES = { 'standard-4': 'm6i.xlarge', 'general-4': 'm6i.xlarge', 'standard-8': 'm6i.2xlarge' };
const input = (classes: JsonObject = CLASSES): JsonObject => anInput({ classes });
const reporting = (instanceType: string) => ({
  ...WORLD.joined,
  instance: { ...WORLD.joined.instance, instanceType },
});

const sizeIn = async (request: Request) => at((await answer(request)).status, 'size');

/** The same machine after an edit of its spec. */
function edited(request: Request, machine: JsonObject): Request {
  const { composite, resources } = request.observed;
  const changed: KubeObject = { ...composite, spec: { ...composite.spec, ...machine } };
  return { ...request, observed: { composite: changed, resources } };
}

describe('the size of a machine', () => {
  it('is the type that the cloud reports, and every class that maps to it', async () => {
    expect(await sizeIn(await lived(reporting('m6i.xlarge'), { input: input() }))).toEqual({
      instanceType: 'm6i.xlarge',
      classes: ['general-4', 'm6i.xlarge', 'standard-4'],
    });
  });

  it('has no class with the name of the type if the Composition maps that name to another type', async () => {
    const request = await lived(reporting('m6i.xlarge'), { input: input({ ...CLASSES, 'm6i.xlarge': 'm7i.large' }) });
    expect(at(await sizeIn(request), 'classes')).toEqual(['general-4', 'standard-4']);
  });

  test.for([
    { name: 'the cloud does not report it', world: WORLD.joined },
    { name: 'the cloud reports another type than the claim asks for', world: reporting('m6i.2xlarge') },
  ])('is not reported while $name', async ({ world }) => {
    expect(await sizeIn(await lived(world, { input: input() }))).toBeUndefined();
  });

  test.for([
    { name: 'the type it maps to', machine: { instanceType: 'm6i.xlarge' } },
    { name: 'another class of the same type', machine: { class: 'general-4' } },
  ])('does not change in the cloud when the claim asks for $name', async ({ machine }) => {
    const request = await lived(reporting('m6i.xlarge'), { input: input() });
    const before = await answer(request);
    const now = await answer(edited(request, { machine }));
    expect(now.resources.get('instance')).toEqual(before.resources.get('instance'));
    expect(now.resources.get('node')).toEqual(before.resources.get('node'));
    expect(now.conditions).toEqual(before.conditions);
  });
});

describe('an override of a running machine', () => {
  const overrides = (forProvider: JsonObject): JsonObject => ({
    infrastructure: { overrides: [{ kind: 'Instance', patch: { spec: { forProvider } } }] },
  });
  /** After the cloud has it. */
  const carriedOut = async (request: Request): Promise<Request> =>
    after(request, await answer(request), reporting('m6i.xlarge'));
  const asked = async (request: Request, field: string) =>
    at((await answer(request)).resources.get('instance')?.resource, 'spec', 'forProvider', field);

  test.for([
    { field: 'tags', given: { team: 'a' }, before: undefined },
    { field: 'metadataOptions', given: { httpTokens: 'optional' }, before: 'required' },
  ])('is applied in the cloud, and removed with the override: $field', async ({ field, given }) => {
    const request = await lived(reporting('m6i.xlarge'), { input: { ...input(), ...ANY_OVERRIDE } });
    const before = await asked(request, field);
    const changed = edited(request, overrides({ [field]: given }));
    expect(await asked(changed, field)).toEqual({ ...(before as JsonObject), ...given });
    expect(await asked(edited(await carriedOut(changed), { infrastructure: { overrides: [] } }), field)).toEqual(
      before,
    );
  });

  it('is applied in the cloud, and removed with the override: security groups', async () => {
    const request = await lived(reporting('m6i.xlarge'), { input: { ...input(), ...ANY_OVERRIDE } });
    const changed = edited(request, overrides({ vpcSecurityGroupIds: ['sg-mine'] }));
    expect(await asked(changed, 'vpcSecurityGroupIds')).toEqual(['sg-mine']);
    expect(
      await asked(edited(await carriedOut(changed), { infrastructure: { overrides: [] } }), 'vpcSecurityGroupIds'),
    ).toEqual(['sg-node', 'sg-lb']);
  });
});
