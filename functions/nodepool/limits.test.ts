/** Whoever may claim a pool chooses only what the platform states. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { made, request } from './pool.fixture.ts';

const asked = async (spec: JsonObject, limits: JsonObject, catalog: JsonObject = {}) => {
  const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', limits, ...catalog };
  return replyOf(run, { ...request({ pool: aNodePool({ spec }), machines: await made(aNodePool()) }), input });
};
const machine = (fields: JsonObject): JsonObject => ({ machine: { class: 'standard-4', ...fields } });

describe('a choice outside the limits of the Composition is refused, and the pool keeps its machines', () => {
  test.for([
    {
      name: 'more machines than the platform pays for',
      spec: { replicas: 11 },
      limits: { replicas: 10 },
      want: 'spec.replicas: 11 is not accepted; accepted: at most 10 (limits.replicas in NodePoolInput of the Composition)',
    },
    {
      name: 'a class that is not offered',
      spec: machine({ class: 'p5.48xlarge' }),
      limits: { sizes: ['standard-*', 'memory-2'] },
      want: 'spec.machine.class: "p5.48xlarge" is not accepted; accepted: standard-*, memory-2 (limits.sizes in NodePoolInput of the Composition)',
    },
    {
      name: 'an instance type',
      spec: { machine: { instanceType: 'p5.48xlarge' } },
      limits: { sizes: ['standard-*'] },
      want: 'spec.machine.instanceType: "p5.48xlarge" is not accepted; accepted: standard-* (limits.sizes in NodePoolInput of the Composition)',
    },
    {
      name: 'an image that the platform did not build',
      spec: machine({ image: 'ami-0fedcba9876543210' }),
      limits: { images: ['ubuntu-*'] },
      want: 'spec.machine.image: "ami-0fedcba9876543210" is not accepted; accepted: ubuntu-* (limits.images in NodePoolInput of the Composition)',
    },
    {
      name: 'a large disk',
      spec: machine({ rootDisk: { sizeGiB: 501 } }),
      limits: { diskSizeGiB: 500 },
      want: 'spec.machine.rootDisk.sizeGiB: 501 is not accepted; accepted: at most 500 (limits.diskSizeGiB in NodePoolInput of the Composition)',
    },
    {
      name: 'a disk in clear',
      spec: machine({ rootDisk: { encrypted: false } }),
      limits: { encryptedDisks: true },
      want: 'spec.machine.rootDisk.encrypted: false is not accepted; accepted: true (limits.encryptedDisks in NodePoolInput of the Composition)',
    },
    {
      name: 'a large data disk',
      spec: machine({
        dataDisks: [
          { name: 'a', sizeGiB: 500 },
          { name: 'b', sizeGiB: 501 },
        ],
      }),
      limits: { diskSizeGiB: 500 },
      want: 'spec.machine.dataDisks[1].sizeGiB: 501 is not accepted; accepted: at most 500 (limits.diskSizeGiB in NodePoolInput of the Composition)',
    },
    {
      name: 'a data disk in clear',
      spec: machine({ dataDisks: [{ name: 'a', sizeGiB: 50, encrypted: false }] }),
      limits: { encryptedDisks: true },
      want: 'spec.machine.dataDisks[0].encrypted: false is not accepted; accepted: true (limits.encryptedDisks in NodePoolInput of the Composition)',
    },
    {
      name: 'a type of disk that the cloud does not have',
      spec: machine({ rootDisk: { type: 'gp33' } }),
      limits: {},
      want: 'spec.machine.rootDisk.type: "gp33" is not accepted; accepted: gp2, gp3, standard, io1, io2; did you mean "gp3"?',
    },
    {
      name: 'a type of disk that no machine boots from',
      spec: machine({ rootDisk: { type: 'st1' } }),
      limits: {},
      want: 'spec.machine.rootDisk.type: "st1" is not accepted; accepted: gp2, gp3, standard',
    },
    {
      name: 'a type of data disk that the cloud does not have',
      spec: machine({ dataDisks: [{ name: 'a', sizeGiB: 50, type: 'Premium_LRS' }] }),
      limits: {},
      want: 'spec.machine.dataDisks[0].type: "Premium_LRS" is not accepted; accepted: gp2, gp3, standard, sc1, st1',
    },
    {
      name: 'a type of disk that the platform does not allow',
      spec: machine({ rootDisk: { type: 'io2' } }),
      limits: { diskTypes: ['gp*'] },
      want: 'spec.machine.rootDisk.type: "io2" is not accepted; accepted: gp* (limits.diskTypes in NodePoolInput of the Composition)',
    },
  ])('$name', async ({ spec, limits, want }) => {
    await expect(asked(spec, limits)).rejects.toThrow(`cannot accept NodePool "team-a/general": ${want}`);
  });

  test('a type of disk that only the platform knows is accepted', async () => {
    const spec = machine({ rootDisk: { type: 'gp4' }, dataDisks: [{ name: 'a', sizeGiB: 125, type: 'st1' }] });
    await expect(asked(spec, { diskTypes: ['gp*', 'st1'] })).resolves.toBeDefined();
  });

  test('what was probably meant is only a name that the platform offers', async () => {
    const catalog = { classes: { 'standard-2': 'm6i.large', 'memory-4': 'r6i.xlarge' } };
    const asks = (size: string) => asked(machine({ class: size }), { sizes: ['standard-2'] }, catalog);
    await expect(asks('memroy-4')).rejects.toThrow(/accepted: standard-2 \(limits\.sizes in [^)]+\)$/);
    await expect(asks('standrad-2')).rejects.toThrow(/\(limits\.sizes in [^)]+\); did you mean "standard-2"\?$/);
  });
});

describe('the word catalog', () => {
  const catalog = {
    classes: { 'standard-2': 'm6i.large', 'gpu-8': 'g6.2xlarge' },
    images: { 'ubuntu-24.04/v1.35.4': { 'eu-west-1': 'ami-0123456789abcdef0' } },
  };
  const answer = async (fields: JsonObject, limits: JsonObject): Promise<string> => {
    const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', limits, ...catalog };
    const pool = aNodePool({ spec: { machine: fields } });
    return replyOf(run, { ...request({ pool, machines: await made(aNodePool()) }), input }).then(
      () => 'accepted',
      (error: Error) => error.message.replace(/^.*: spec\.machine\./, ''),
    );
  };

  test.for([
    ['every class of the catalog', { class: 'gpu-8' }, { sizes: ['catalog'] }, 'accepted'],
    [
      'no class that is not in it, and says those that are',
      { class: 'p5.48xlarge' },
      { sizes: ['catalog', 'm6i.*'] },
      'class: "p5.48xlarge" is not accepted; accepted: gpu-8, standard-2, m6i.* (limits.sizes in NodePoolInput of the Composition)',
    ],
    [
      'no instance type',
      { instanceType: 'g6.2xlarge' },
      { sizes: ['catalog', 'm6i.*'] },
      'instanceType: "g6.2xlarge" is not accepted; accepted: m6i.* (limits.sizes in NodePoolInput of the Composition)',
    ],
    ['every image of the catalog', { class: 'gpu-8', image: 'ubuntu-24.04' }, { images: ['catalog'] }, 'accepted'],
    [
      'no image that is not in it',
      { class: 'gpu-8', image: 'ami-0fedcba9876543210' },
      { images: ['catalog'] },
      'image: "ami-0fedcba9876543210" is not accepted; accepted: ubuntu-24.04 (limits.images in NodePoolInput of the Composition)',
    ],
  ] as const)('allows %s', async ([, fields, limits, want]) => {
    expect(await answer(fields, limits as unknown as JsonObject)).toBe(want);
  });

  test('is needed: a pattern allows the classes that are like it, and says which those are', async () => {
    expect(await answer({ class: 'gpu-8' }, { sizes: ['standard-*'] })).toBe(
      'class: "gpu-8" is not accepted; accepted: standard-2 (limits.sizes in NodePoolInput of the Composition)',
    );
  });
});

test('a choice inside the limits is accepted, and what the claim leaves to the Composition is not limited', async () => {
  const limits = { replicas: 3, sizes: ['standard-*'], images: [], diskSizeGiB: 40, encryptedDisks: true };
  const reply = await asked({ replicas: 3, ...machine({}) }, limits);
  expect(reply.resources.size).toBeGreaterThanOrEqual(3);
});
