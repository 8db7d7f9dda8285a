/** The table that AWS's update rules are made from says what the machine step really makes of a Machine's fields. */
import { describe, expect, it, test } from 'vitest';
import { at, isJsonObject, type Json, type JsonObject } from '#lib/api/json.ts';
import { FIELDS, FLAVORS } from '../../functions/in-place-update/flavors/fields.ts';
import { aMachine, call } from '../../functions/machine/machine.fixture.ts';

const aws = FLAVORS.find(({ name }) => name === 'aws')!;

/** Two values of each field that is made into the cloud's object. */
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

/** Fields of a new Instance that a running one is not told of, or that go to the Node. */
const ELSEWHERE: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'spec.labels': [{ labels: { a: '1' } }, { labels: { a: '2' } }],
  'spec.annotations': [{ annotations: { a: '1' } }, { annotations: { a: '2' } }],
  'spec.taints': [{ taints: [] }, { taints: [{ key: 'a', effect: 'NoSchedule' }] }],
  'spec.drain': [{ drain: { timeout: '1m' } }, { drain: { timeout: '2m' } }],
};

function disk(rootDisk: JsonObject): JsonObject {
  return { machine: { class: 'standard-4', rootDisk } };
}

async function made(spec: JsonObject): Promise<Json | undefined> {
  const reply = await call({ machine: aMachine(spec) });
  return at(reply.resources.get('instance')?.resource, 'spec', 'forProvider');
}

function changed(old: Json | undefined, now: Json | undefined, path = ''): readonly string[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return JSON.stringify(old) === JSON.stringify(now) ? [] : [path];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return keys.flatMap((key) => changed(old[key], now[key], path === '' ? key : `${path}.${key}`));
}

describe('a new Instance of a Machine', () => {
  test.for(Object.entries(aws.made))('is made of %s in the fields the table names', async ([field, fields]) => {
    const [before, after] = EDITS[field]!;
    expect(changed(await made(before), await made(after))).toEqual(fields);
  });

  test.for(Object.entries(ELSEWHERE))('has nothing of %s: provider-node changes it on the Node', async ([, edit]) => {
    const [before, after] = edit;
    expect(changed(await made(before), await made(after))).toEqual([]);
  });

  it('is tried for every field that the table gives to the Node or to the cloud', () => {
    const tried = [...Object.keys(EDITS), ...Object.keys(ELSEWHERE)].toSorted();
    const named = FIELDS.filter(({ by }) => by === 'Node' || by === 'Cloud').map(({ path }) => path);
    expect(tried).toEqual(named.toSorted());
  });
});
