/**
 * The table from which the update rules of a cloud are generated matches what the machine step does with the fields of a
 * Machine.
 */
import { describe, expect, it, test } from 'vitest';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { FIELDS, madeOf } from '#lib/cloud/fields.ts';
import { CLOUD_FIELDS } from '#clouds/fields.ts';
import { CLOUDS as MACHINE_CLOUDS } from '../../functions/machine/clouds.ts';
import { AWS } from './aws.ts';
import { AZURE } from './azure.ts';
import type { CloudUnderTest } from './cloud.ts';
import { EXISTING } from './existing.ts';
import { GCP } from './gcp.ts';

const CLOUDS: readonly CloudUnderTest[] = [AWS, AZURE, EXISTING, GCP];

/** Fields of a new machine that a running one does not get, or that are applied to the Node. */
const ELSEWHERE: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'spec.labels': [{ labels: { a: '1' } }, { labels: { a: '2' } }],
  'spec.annotations': [{ annotations: { a: '1' } }, { annotations: { a: '2' } }],
  'spec.taints': [{ taints: [] }, { taints: [{ key: 'a', effect: 'NoSchedule' }] }],
  'spec.drain': [{ drain: { timeout: '1m' } }, { drain: { timeout: '2m' } }],
};

function changed(old: Json | undefined, now: Json | undefined, path = ''): readonly string[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return JSON.stringify(old) === JSON.stringify(now) ? [] : [path];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return keys.flatMap((key) => changed(old[key], now[key], path === '' ? key : `${path}.${key}`));
}

/** What the provider is told, with the lists that only the creation uses. */
async function made(
  { instance, fields }: CloudUnderTest,
  spec: JsonObject,
  observed?: KubeObject,
): Promise<Json | undefined> {
  const { forProvider, initProvider } = (await instance(spec, observed)).spec ?? {};
  const first = fields.made.flatMap(({ field }): readonly [string, Json][] => {
    const list = at(initProvider, field);
    return list === undefined ? [] : [[field, list]];
  });
  return { ...(forProvider as JsonObject), ...Object.fromEntries(first) };
}

test('every cloud of the machine step is tried', () => {
  const tables = Object.keys(MACHINE_CLOUDS).map((name) => CLOUD_FIELDS[name]);
  expect(CLOUDS.map(({ fields }) => fields)).toEqual(tables);
});

describe.for(CLOUDS)('on $name', (cloud) => {
  describe('a new machine', () => {
    test.for(Object.entries(cloud.edits))('has %s in the fields of the table', async ([path, [before, after]]) => {
      const named = madeOf(cloud.fields, path).map(({ field }) => field);
      expect(changed(await made(cloud, before), await made(cloud, after))).toEqual(named);
    });

    test.for(Object.entries(ELSEWHERE))(
      'has no data of %s, because provider-node changes it on the Node',
      async ([, [before, after]]) => {
        expect(changed(await made(cloud, before), await made(cloud, after))).toEqual([]);
      },
    );

    it('is tested for every field that the table assigns to the Node or to the cloud', () => {
      const tried = [...Object.keys(cloud.edits), ...Object.keys(ELSEWHERE)].toSorted();
      const named = FIELDS.filter(({ by }) => by === 'Node' || by === 'Cloud').map(({ path }) => path);
      expect(tried).toEqual(named.toSorted());
    });
  });

  describe('a running machine', () => {
    test.for(Object.entries(cloud.edits))(
      'gets from %s only what changes while it runs, as in the table',
      async ([path, [before, after]]) => {
        const running = {
          ...(await cloud.instance(before)),
          status: { atProvider: { id: 'i-1', instanceId: '4711' } },
        };
        const live = madeOf(cloud.fields, path).filter(({ change }) => change === 'Runs');
        expect(changed(await made(cloud, before, running), await made(cloud, after, running))).toEqual(
          live.map(({ field }) => field),
        );
      },
    );
  });
});
