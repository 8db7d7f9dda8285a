import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { Payload } from '#lib/api/contracts/payload.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { Json, JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { CERTIFICATE } from '../../../test/support/everything.ts';
import { EVERY_BOTTLEROCKET_PROVISIONING } from './everything.fixture.ts';
import { expectIdempotent, expectPure } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';
import { aBottlerocketPlan, aRenderRequest, rendered, replyTo } from '../plan.fixture.ts';
import { type Refused, refusalsOf, SECRET } from '../refusals.fixture.ts';
import { bottlerocket } from './bottlerocket.ts';

const claim = (fields: JsonObject): JsonObject => ({ format: 'bottlerocket', ...fields });
const textOf = (fields: JsonObject = {}, plan = aBottlerocketPlan()): Promise<string> => rendered(claim(fields), plan);
const settingsOf = async (fields: JsonObject, plan?: JsonObject): Promise<JsonObject> =>
  (parse(await textOf(fields, plan)) as unknown as { settings: JsonObject }).settings;

describe('the settings of Bottlerocket on its first boot', () => {
  test('contain everything a claim can say', async () => {
    const text = await textOf(EVERY_BOTTLEROCKET_PROVISIONING);
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'golden/everything.toml'));
  });

  test('contain the plan and the name of the host, when the claim says nothing', async () => {
    expect(await settingsOf({})).toEqual({
      kubernetes: { 'cluster-name': 'prod' },
      network: { hostname: 'general-0-aaaaa' },
    });
    const { context } = await replyTo(aRenderRequest(claim({}), aBottlerocketPlan()));
    expect(Payload.parse(context[CONTEXT.payload])).toMatchObject({
      format: 'bottlerocket',
      contentType: 'application/toml',
      gzip: true,
    });
  });

  test('contain every field of a claim, so that none is silently ignored', async () => {
    const plain = await textOf();
    const said = Object.keys(Provisioning.shape).filter((name) => !(name in bottlerocket.limits));
    expect(Object.keys(EVERY_BOTTLEROCKET_PROVISIONING).toSorted()).toEqual(said.toSorted());
    for (const field of said.filter((name) => name !== 'format'))
      expect(await textOf({ [field]: EVERY_BOTTLEROCKET_PROVISIONING[field]! }), field).not.toBe(plain);
  });

  test('keep the order of kernel arguments, and reboot the host for those that are missing', async () => {
    const kernelArguments = ['hugepagesz=1G', 'hugepages=4', 'a.b=x=y', 'console=tty0', 'console=ttyS0', 'quiet'];
    const { boot } = (await settingsOf({ kernelArguments })) as { boot: JsonObject };
    expect(boot['reboot-to-reconcile']).toBe(true);
    expect(Object.entries(boot['kernel-parameters'] as JsonObject)).toEqual([
      ['hugepagesz', ['1G']],
      ['hugepages', ['4']],
      ['a.b', ['x=y']],
      ['console', ['tty0', 'ttyS0']],
      ['quiet', []],
    ]);
  });

  test('contain raw settings beside others of their group', async () => {
    const raw = { bottlerocket: { kubernetes: { 'event-qps': 5 }, motd: 'a' } };
    expect(await settingsOf({ raw })).toMatchObject({
      kubernetes: { 'cluster-name': 'prod', 'event-qps': 5 },
      motd: 'a',
    });
  });

  test('are the same bytes for equal claims and plans, whatever the order of their keys', async () => {
    const reversed = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).toReversed());
    const settings = { kubernetes: { a: 'b', c: { d: 1, e: [2] } }, ntp: {} };
    const other = reversed({ ...settings, kubernetes: reversed(settings.kubernetes) });
    const { ntp: _left, ...fields } = EVERY_BOTTLEROCKET_PROVISIONING;
    const sysctls = reversed(fields['sysctls'] as JsonObject);
    expect(await textOf({ ...reversed(fields), sysctls }, aBottlerocketPlan(other))).toBe(
      await textOf(fields, aBottlerocketPlan(settings)),
    );
  });

  test('hold the laws of every function', async () => {
    const request = aRenderRequest(claim(EVERY_BOTTLEROCKET_PROVISIONING), aBottlerocketPlan());
    await expectPure(run, request);
    await expectIdempotent(run, request);
  });
});

test('are read back by a TOML parser without loss', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          '"',
          "'",
          '"""',
          "'''",
          '\\',
          '\r\n',
          '\n',
          '\t',
          '#',
          '{{ v }}',
          '%',
          '=',
          '[',
          ']',
          'é',
          '😀',
          '\u0000',
          '\u007f',
          '\u0085',
          ' ',
        ),
        { maxLength: 8 },
      )
      .map((pieces) => pieces.join('')),
  );
  // JSON.parse of Node 24.21 confuses the keys " and \ if it has parsed the latter in an object of that shape.
  const key = fc.oneof(
    fc.constantFrom('a', 'b-c', 'net.ipv4', 'a b', 'a"', 'é', '1', ''),
    text.filter((one) => !one.includes('\\')),
  );
  const leaf = fc.oneof(
    text,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 0.001, max: 1e6 }),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(
      key,
      fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(leaf, { maxLength: 3 }),
        tie('tree'),
        fc.array(tie('tree'), { maxLength: 2 }),
      ),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async (settings) => {
      const group = settings as JsonObject;
      const found = await settingsOf({ raw: { bottlerocket: { group } } });
      expect(JSON.parse(JSON.stringify(found['group']))).toEqual(JSON.parse(JSON.stringify(group)));
    }),
    { numRuns: 300 },
  );
});

/** A value for every field that Bottlerocket cannot express. */
const UNSAID: Readonly<Record<string, Json>> = {
  files: [{ path: '/etc/motd', content: SECRET }],
  users: [{ name: 'ops' }],
  groups: [{ name: 'ops' }],
  commands: { pre: [SECRET] },
  packages: ['nfs-common'],
  units: [{ name: 'a.service', contents: SECRET }],
  timezone: 'Europe/Zurich',
  disks: [{ device: '/dev/sdb', partitions: [{}] }],
  filesystems: [{ device: '/dev/sdb' }],
  mounts: [{ device: '/dev/sdb', path: '/data' }],
  swap: { path: '/var/swap', sizeMiB: 1 },
};

const REFUSED: readonly Refused[] = [
  ...Object.entries(UNSAID).map(([field, value]) => ({ name: field, given: { [field]: value } })),
  { name: 'a proxy for http', given: { proxy: { http: `http://fake:${SECRET}@proxy.example.com` } } },
  { name: 'a name with a capital letter', given: { hosts: [{ address: '10.0.0.9', names: ['a', 'Registry'] }] } },
  { name: 'a kernel argument with an unusual name', given: { kernelArguments: ['quiet', 'a:b=c'] } },
  { name: 'arguments mixed with others of one name', given: { kernelArguments: ['a=1', 'b=2', 'a=3'] } },
  {
    name: 'a certificate for one registry',
    given: { registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], caCertificate: CERTIFICATE }] },
  },
  {
    name: 'a registry that is listed twice',
    given: {
      registries: ['https://a.example.com', 'https://b.example.com'].map((url) => ({
        host: 'docker.io',
        mirrors: [url],
      })),
    },
  },
  { name: 'raw fields of another format', given: { raw: { 'cloud-init': { locale: 'C' } } } },
  { name: 'a raw setting that is already set', given: { raw: { bottlerocket: { network: { hostname: SECRET } } } } },
  { name: 'a raw value instead of a group of settings', given: { raw: { bottlerocket: { network: SECRET } } } },
  { name: 'a raw setting that is null', given: { raw: { bottlerocket: { motd: [{ a: null }] } } } },
  {
    name: 'a setting that the plan has',
    given: { ntp: { servers: ['169.254.169.123'] } },
    plan: aBottlerocketPlan({ ntp: { 'time-servers': [] } }),
  },
  { name: 'a plan of Bottlerocket for talos', given: { format: 'talos' } },
];

describe('what Bottlerocket cannot do', () => {
  test('is refused in one line that says what to do instead, without a secret', async () => {
    const refusals = await refusalsOf('bottlerocket', REFUSED, aBottlerocketPlan());
    await expect(refusals).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
  });

  test('has a test for every limit', () => {
    expect(Object.keys(UNSAID).toSorted()).toEqual(Object.keys(bottlerocket.limits).toSorted());
  });
});
