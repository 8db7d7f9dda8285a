/**
 * The table from which the update rules of AWS are generated matches what the machine step does with the fields of a
 * Machine.
 */
import { describe, expect, it, test } from 'vitest';
import { AWS_FIELDS } from '#clouds/aws/fields.ts';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { FIELDS, madeOf } from '#lib/cloud/fields.ts';
import { aMachine, call } from '../../functions/machine/machine.fixture.ts';

/** Two values for each field that becomes part of the object in the cloud. */
const EDITS: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'spec.failureDomain': [{ failureDomain: 'eu-west-1a' }, { failureDomain: 'eu-west-1b' }],
  'spec.machine.class': [{ machine: { class: 'standard-4' } }, { machine: { class: 'm6i.2xlarge' } }],
  'spec.machine.instanceType': [
    { machine: { instanceType: 'm6i.large' } },
    { machine: { instanceType: 'm6i.xlarge' } },
  ],
  'spec.machine.image': [
    { machine: { class: 'standard-4', image: 'ami-0aaaaaaaaaaaaaaa1' } },
    { machine: { class: 'standard-4', image: 'ami-0aaaaaaaaaaaaaaa2' } },
  ],
  'spec.machine.rootDisk.sizeGiB': [disk({ sizeGiB: 40 }), disk({ sizeGiB: 80 })],
  'spec.machine.rootDisk.type': [disk({ type: 'gp3' }), disk({ type: 'io2' })],
  'spec.machine.rootDisk.encrypted': [disk({ encrypted: true }), disk({ encrypted: false })],
};

/** Fields of a new Instance that a running one does not get, or that are applied to the Node. */
const ELSEWHERE: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'spec.labels': [{ labels: { a: '1' } }, { labels: { a: '2' } }],
  'spec.annotations': [{ annotations: { a: '1' } }, { annotations: { a: '2' } }],
  'spec.taints': [{ taints: [] }, { taints: [{ key: 'a', effect: 'NoSchedule' }] }],
  'spec.drain': [{ drain: { timeout: '1m' } }, { drain: { timeout: '2m' } }],
};

function disk(rootDisk: JsonObject): JsonObject {
  return { machine: { class: 'standard-4', rootDisk } };
}

async function made(spec: JsonObject, observed?: KubeObject): Promise<Json | undefined> {
  return at(await instance(spec, observed), 'spec', 'forProvider');
}

async function instance(spec: JsonObject, observed?: KubeObject): Promise<KubeObject> {
  const reply = await call({ machine: aMachine(spec), observed: observed === undefined ? {} : { instance: observed } });
  return reply.resources.get('instance')!.resource;
}

function changed(old: Json | undefined, now: Json | undefined, path = ''): readonly string[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return JSON.stringify(old) === JSON.stringify(now) ? [] : [path];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return keys.flatMap((key) => changed(old[key], now[key], path === '' ? key : `${path}.${key}`));
}

describe('a new Instance of a Machine', () => {
  test.for(Object.entries(EDITS))('has %s in the fields of the table', async ([path, [before, after]]) => {
    const named = madeOf(AWS_FIELDS, path).map(({ field }) => field);
    expect(changed(await made(before), await made(after))).toEqual(named);
  });

  test.for(Object.entries(ELSEWHERE))(
    'has no data of %s, because provider-node changes it on the Node',
    async ([, edit]) => {
      const [before, after] = edit;
      expect(changed(await made(before), await made(after))).toEqual([]);
    },
  );

  it('is tested for every field that the table assigns to the Node or to the cloud', () => {
    const tried = [...Object.keys(EDITS), ...Object.keys(ELSEWHERE)].toSorted();
    const named = FIELDS.filter(({ by }) => by === 'Node' || by === 'Cloud').map(({ path }) => path);
    expect(tried).toEqual(named.toSorted());
  });
});

describe('a running Instance', () => {
  test.for(Object.entries(EDITS))(
    'gets from %s only what changes while it runs, as in the table',
    async ([path, [before, after]]) => {
      const running = await instance(before);
      const live = madeOf(AWS_FIELDS, path).filter(({ change }) => change === 'Runs');
      expect(changed(await made(before, running), await made(after, running))).toEqual(live.map(({ field }) => field));
    },
  );
});
