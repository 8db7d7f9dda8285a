/** A spot machine on each cloud that sells them: what is composed, that its provider accepts it, and that it stays one. */
import { describe, expect, test } from 'vitest';
import { at, type KubeObject } from '#lib/api/json.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { AWS } from '../update-rules/aws.ts';
import { AZURE } from '../update-rules/azure.ts';
import { GCP } from '../update-rules/gcp.ts';

const SPOT = { machine: { class: 'standard-4', capacityType: 'spot' } };
const ON_DEMAND = { machine: { class: 'standard-4', capacityType: 'on-demand' } };
const PLAIN = { machine: { class: 'standard-4' } };

const CLOUDS = [
  {
    ...AWS,
    made: {
      instanceMarketOptions: {
        marketType: 'spot',
        spotOptions: { instanceInterruptionBehavior: 'terminate', spotInstanceType: 'one-time' },
      },
    },
  },
  { ...AZURE, made: { priority: 'Spot', evictionPolicy: 'Delete' } },
  {
    ...GCP,
    made: {
      scheduling: {
        provisioningModel: 'SPOT',
        preemptible: true,
        automaticRestart: false,
        instanceTerminationAction: 'DELETE',
      },
    },
  },
];

const fields = ({ spec }: KubeObject) => at(spec, 'forProvider');

describe.for(CLOUDS)('on $name', ({ instance, made }) => {
  test('it is ended by its cloud, not stopped', async () => {
    const machine = await instance(SPOT);
    expect(fields(machine)).toMatchObject(made);
    expect(crdsAvailable() ? validateManaged(machine) : []).toEqual([]);
  });

  test('a machine on demand is the one that it was without the field', async () => {
    expect(await instance(ON_DEMAND)).toEqual(await instance(PLAIN));
  });

  test('one that exists stays what it is, whatever its Machine says', async () => {
    expect(fields(await instance(PLAIN, await instance(SPOT)))).toMatchObject(made);
    const plain = await instance(PLAIN);
    expect(fields(await instance(SPOT, plain))).toEqual(fields(plain));
  });
});
