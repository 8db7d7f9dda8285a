/** What is said of a field whose value may be a secret: everything but its value. */
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { EMPTY_WORLD as world } from './empty-world.fixture.ts';
import { judge, lineOf } from '../validate/findings.ts';

const SECRET = 'hunter2';

async function linesOf(fields: JsonObject): Promise<readonly string[]> {
  const pool: KubeObject = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'NodePool',
    metadata: { name: 'general', namespace: 'team-b' },
    spec: { clusterRef: { name: 'shop' }, machine: { class: 'standard-2' }, ...fields },
  };
  const { refused } = await judge(world, [pool]);
  return refused.map(lineOf);
}

const NAMES = [
  'password',
  'passwd',
  'token',
  'clientSecret',
  'privateKey',
  'apiKey',
  'credentials',
  'userData',
  'hash',
];

const PLACES: Readonly<Record<string, (name: string) => JsonObject>> = {
  spec: (name) => ({ [name]: SECRET }),
  'spec.machine': (name) => ({ machine: { class: 'standard-2', [name]: SECRET } }),
  'spec.provisioning.users[0]': (name) => ({ provisioning: { users: [{ name: 'ops', [name]: SECRET }] } }),
  'spec.provisioning.registries[0]': (name) => ({
    provisioning: { registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], [name]: SECRET }] },
  }),
  'spec.provisioning.users[0].passwordHashFrom': (name) => ({
    provisioning: { users: [{ name: 'ops', passwordHashFrom: { secret: { name: 'a', key: 'b' }, [name]: SECRET } }] },
  }),
};

test.for(Object.keys(PLACES).flatMap((place) => NAMES.map((name) => ({ place, name }))))(
  'an unknown field with the name of a secret is told what is accepted: $place.$name',
  async ({ place, name }) => {
    const lines = await linesOf(PLACES[place]?.(name) ?? {});
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`"team-b/general": ${place}.${name}: unknown field; accepted: `);
    expect(lines[0]).not.toContain(SECRET);
  },
);

test('a password is asked for as its hash', async () => {
  expect(await linesOf({ provisioning: { users: [{ name: 'ops', password: SECRET }] } })).toEqual([
    expect.stringMatching(/users\[0\]\.password: unknown field; accepted: [^;]*; did you mean "passwordHash"\?$/),
  ]);
});

test.for(['', 'hunter2 hunter2', 'hunter2'.repeat(40)])(
  'the key of a Secret that is not accepted is told why, without its value: "%s"',
  async (key) => {
    const users = [{ name: 'ops', passwordHashFrom: { secret: { name: 'a', key } } }];
    const line = (await linesOf({ provisioning: { users } })).join();
    expect(line).toMatch(/passwordHashFrom\.secret\.key: its value is not [^;]*; accepted: /);
    expect(line).not.toContain(SECRET);
  },
);
