/** What holds for any claim in every format: generated customisations, most of which are refused for some field. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanKind } from '#lib/api/contracts/bootstrap-plan.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { aBottlerocketPlan, aNodeadmPlan, aPlan, rendered } from './plan.fixture.ts';
import { PROVISIONERS } from './registry.ts';

/** Used wherever a claim could contain a secret. */
const SECRET = 'hunter2';

const some = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { minLength: 1, maxLength: 3 });
const oneOf = fc.constantFrom;
const optional = { requiredKeys: [] };
const name = oneOf('ops', 'app', 'data');
const place = oneOf(
  '/etc/motd',
  '/etc/hosts',
  '/var/lib/data/a',
  '/etc/systemd/system/a.service',
  '/etc/slipway/bootstrap.sh',
);
const device = oneOf('/dev/nvme1n1', '/dev/nvme1n1p1', '/dev/disk/by-label/data');

const FIELDS: Record<Exclude<keyof Provisioning, 'format'>, fc.Arbitrary<unknown>> = {
  files: some(
    fc.record(
      {
        path: place,
        content: oneOf(SECRET, `${SECRET}\r\n`, '{{ fake }}'),
        encoding: oneOf('plain', 'base64'),
        mode: oneOf('0644', '0600'),
        owner: oneOf('root:root', 'ops:data'),
        append: fc.boolean(),
      },
      { requiredKeys: ['path', 'content'] },
    ),
  ),
  users: some(fc.record({ name, groups: some(name), passwordHash: oneOf(SECRET) }, { requiredKeys: ['name'] })),
  groups: some(fc.record({ name, gid: oneOf(1500, 2000) }, { requiredKeys: ['name'] })),
  commands: fc.oneof(fc.record({ pre: some(oneOf(SECRET, 'true')) }), fc.record({ post: some(oneOf(SECRET)) })),
  packages: some(oneOf('nfs-common', 'chrony')),
  ntp: fc.record({ servers: some(oneOf('169.254.169.123', 'time.example.com')) }),
  timezone: oneOf('Europe/Zurich', 'UTC'),
  sysctls: fc.dictionary(oneOf('vm.swappiness', 'kernel.panic'), oneOf('1', '10'), { minKeys: 1 }),
  kernelModules: some(oneOf('nf_conntrack', 'overlay')),
  caCertificates: some(oneOf('-----BEGIN CERTIFICATE-----\nfake\n-----END CERTIFICATE-----\n')),
  units: some(
    fc.record(
      {
        name: oneOf('a.service', 'b@.service', 'c.timer', 'var-lib-data.mount'),
        contents: oneOf(`[Service]\nEnvironment=A=${SECRET}\n`),
        enabled: fc.constant(true),
        dropIns: some(fc.record({ name: oneOf('a.conf', 'b.conf'), contents: oneOf(SECRET) })),
      },
      { requiredKeys: ['name', 'enabled'] },
    ),
  ),
  disks: some(
    fc.record({
      device,
      partitions: some(fc.record({ label: oneOf('data'), sizeMiB: oneOf(512) }, optional)),
    }),
  ),
  filesystems: some(
    fc.record(
      { device, format: oneOf('ext4', 'xfs', 'vfat'), label: oneOf('data'), wipe: fc.boolean() },
      { requiredKeys: ['device'] },
    ),
  ),
  mounts: some(
    fc.record(
      {
        device: oneOf('LABEL=data', '/dev/nvme1n1p1'),
        path: oneOf('/var/lib/data', '/var'),
        options: some(oneOf('noatime')),
      },
      { requiredKeys: ['device', 'path'] },
    ),
  ),
  swap: fc.record({ path: oneOf('/swapfile', '/var/swap'), sizeMiB: oneOf(64, 1024) }),
  hosts: some(fc.record({ address: oneOf('10.0.0.9', '2001:db8::9'), names: some(oneOf('a.example.com', 'b')) })),
  kernelArguments: some(oneOf('hugepages=512', 'quiet')),
  proxy: fc.record({ https: oneOf(`http://fake:${SECRET}@proxy.example.com:3128`), none: some(oneOf('.internal')) }),
  registries: some(fc.record({ host: oneOf('docker.io'), mirrors: some(oneOf('https://mirror.example.com')) })),
  raw: fc.dictionary(
    oneOf('cloud-init', 'ignition', 'nodeadm', 'bottlerocket'),
    oneOf<JsonObject[]>({ final_message: SECRET }, { runcmd: [SECRET] }, { storage: { luks: [] } }),
    { minKeys: 1 },
  ),
};

const claim = fc.record(FIELDS, optional) as fc.Arbitrary<JsonObject>;
/** A plan by its kind; plans of Talos have tests of their own. */
const PLANS: Partial<Record<PlanKind, () => unknown>> = {
  scripted: aPlan,
  nodeadm: aNodeadmPlan,
  bottlerocket: aBottlerocketPlan,
};
const planFor = (format: string): unknown =>
  PROVISIONERS[format]?.os === 'windows'
    ? aPlan({ os: 'windows' })
    : PLANS[PROVISIONERS[format]?.takes[0] ?? 'scripted']?.();
const FORMATS = Object.keys(PROVISIONERS).filter((format) => planFor(format) !== undefined);
const without = (claimed: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(claimed).filter(([key]) => key !== field));
const reversed = (claimed: JsonObject): JsonObject => Object.fromEntries(Object.entries(claimed).toReversed());

async function outcome(format: string, claimed: JsonObject): Promise<string | SlipwayError> {
  return rendered({ format, ...claimed }, planFor(format)).catch((thrown: unknown) => SlipwayError.from(thrown));
}

/** Removes refused fields, one after the other, until the rest can be rendered. */
async function accepted(format: string, claimed: JsonObject): Promise<JsonObject> {
  const found = await outcome(format, claimed);
  if (typeof found === 'string') return claimed;
  expect(found.message).toMatch(/^cannot accept Machine "[^"]+": [^\n]+; accepted: [^\n]+$/);
  expect(found.message).not.toContain(SECRET);
  const field = /spec\.provisioning\.(\w+)/.exec(found.message)?.[1] ?? '';
  expect(Object.keys(claimed), found.message).toContain(field);
  return accepted(format, without(claimed, field));
}

test('there is a made-up value for every field', () => {
  expect(Object.keys(FIELDS).toSorted()).toEqual(
    Object.keys(Provisioning.shape)
      .filter((key) => key !== 'format')
      .toSorted(),
  );
});

test.for(FORMATS)(
  '%s: every field has an effect, or is refused in one line that names it and no secret',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(claim, async (claimed) => {
        const said = await accepted(format, claimed);
        const whole = await outcome(format, said);
        expect(await outcome(format, reversed(said))).toBe(whole);
        for (const field of Object.keys(said))
          expect(await outcome(format, without(said, field)), `${field} of ${JSON.stringify(said)}`).not.toBe(whole);
      }),
      { numRuns: 50 },
    );
  },
);
