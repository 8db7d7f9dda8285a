/** What is refused as too large by what a claim says alone would have fitted into no first-boot data. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Payload } from '#lib/api/contracts/payload.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { ignitionStub } from '#lib/cloud/ignition-stub.ts';
import { refuseTooLarge } from '#lib/cloud/least-size.ts';
import type { Rooms } from '#lib/cloud/size.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { aBottlerocketPlan, aNodeadmPlan, aPlan, payloadOf } from './plan.fixture.ts';
import { PROVISIONER_TRAITS } from './traits.ts';

const TALOS: JsonObject = {
  contract: 1,
  kind: 'talos',
  provider: 'talos',
  nodeName: 'general-0-aaaaa',
  release: '1.13',
  documents: [{ version: 'v1alpha1', machine: { type: 'worker' }, cluster: {} }],
};

/** Of as little as there may be. */
const PLANS: Readonly<Record<string, unknown>> = {
  bottlerocket: aBottlerocketPlan({}),
  nodeadm: aNodeadmPlan({ config: {} }),
  talos: TALOS,
  'cloudbase-init': aPlan({ os: 'windows' }),
};

/** What no compression makes smaller, what every compression does, and texts as people write them. */
const text = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(20_000)).map(([seed, length]) => noise(seed, length)),
  fc.tuple(fc.constantFrom('a', 'abc\n', 'key = "value"\n'), fc.nat(8000)).map(([line, times]) => line.repeat(times)),
  fc.string({ unit: 'grapheme', maxLength: 4000 }),
);

function noise(seed: number, length: number): string {
  const blocks = Array.from({ length: Math.ceil(length / 44) }, (_, n) =>
    createHash('sha256').update(`${seed} ${n}`).digest('base64'),
  );
  return blocks.join('').slice(0, length);
}

const claim = fc.record({
  files: fc.array(text, { maxLength: 4 }),
  commands: fc.array(text, { maxLength: 3 }),
  units: fc.array(text, { maxLength: 2 }),
  keys: fc.array(fc.nat(5), { maxLength: 4 }),
});

function provisioningOf(format: string, said: typeof claim extends fc.Arbitrary<infer T> ? T : never): JsonObject {
  const limits = PROVISIONER_TRAITS[format]!.expresses.limits;
  const all: JsonObject = {
    files: said.files.map((content, n) => ({ path: `/var/f${n}`, content: content.slice(0, 60_000) })),
    commands: { pre: said.commands.map((command) => `:${command.slice(0, 16_000)}`) },
    units: said.units.map((contents, n) => ({ name: `a${n}.service`, contents: `[Unit]\n${contents.slice(0, 8000)}` })),
    users: said.keys.map((key, n) => ({ name: `u${n}`, sshAuthorizedKeys: [`ssh-ed25519 ${noise(key, 68)} a`] })),
  };
  return { format, ...Object.fromEntries(Object.entries(all).filter(([field]) => !Object.hasOwn(limits, field))) };
}

/** As large as each way of this data needs, and the other without room. */
function exactRooms({ value, apart, gzip }: Payload): readonly Rooms[] {
  const bytes = Buffer.from(value, 'base64');
  const room = (limit: number) => ({ title: 'a cloud', limit });
  const needed = Math.min(bytes.length, gzip ? stableGzip(bytes).length : bytes.length);
  if (apart === undefined) return [{ carrier: room(needed), store: room(0) }];
  const open = Buffer.from(apart.open, 'base64');
  const sealed = Buffer.from(apart.sealed, 'base64');
  const stub = ignitionStub('', { open, sealed, before: apart.before });
  return [
    { carrier: room(needed), store: room(0) },
    { carrier: room(stub.length), store: room(Math.min(sealed.length, stableGzip(sealed).length)) },
  ];
}

test.for(Object.keys(PROVISIONER_TRAITS))(
  '%s: what fits exactly is not refused',
  { timeout: 60_000 },
  async (format) => {
    await fc.assert(
      fc.asyncProperty(claim, async (said) => {
        const given = provisioningOf(format, said);
        const { format: _format, ...claimed } = Provisioning.parse(given);
        const payload = await payloadOf(given, PLANS[format] ?? aPlan());
        for (const rooms of exactRooms(payload))
          expect(() => refuseTooLarge(claimed, PROVISIONER_TRAITS[format]!, rooms, 'NodePool "a"')).not.toThrow();
      }),
      { numRuns: 40 },
    );
  },
);

test('files that become smaller when they are packed again are not refused', () => {
  const content = stableGzip(Buffer.alloc(1_000_000)).toString('base64');
  const files = Array.from({ length: 40 }, (_, n) => ({ path: `/var/f${n}`, content, encoding: 'gzip+base64' }));
  const { format, ...claimed } = Provisioning.parse({ format: 'cloud-init', files });
  const room = { title: 'a cloud', limit: 16_384 };
  const rooms = { carrier: room, store: room };
  expect(() => refuseTooLarge(claimed, PROVISIONER_TRAITS[format]!, rooms, 'NodePool "a"')).not.toThrow();
});
