import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { type JsonObject, sameJson } from '#lib/api/json.ts';
import { EVERY_PROVISIONING } from '../../../test/support/everything.ts';
import { filesOf } from '../../../test/support/first-boot.ts';
import { aPlan, aPlanFile, rendered } from '../plan.fixture.ts';

const PLAN = aPlan({
  files: [
    aPlanFile('/etc/fake/join.yaml', 'token: fake-token\nid: ${failureDomain}/${instanceId}\n', {
      instanceVariables: true,
    }),
    aPlanFile('/etc/fake/key', new Uint8Array([0, 1, 2, 255])),
  ],
  units: [
    { name: 'fake.service', contents: '[Service]\nExecStart=/usr/bin/fake\n', enabled: true },
    { name: 'other.socket', enabled: true },
    { name: 'off.timer', contents: '[Timer]\nOnBootSec=1\n', enabled: false },
  ],
  commands: { pre: ['fake check'], bootstrap: ['fake join --config /etc/fake/join.yaml'], post: ["echo 'joined'"] },
  removeAfterBootstrap: ['/etc/fake/join.yaml'],
});

test('units, files with variables and commands of a plan', async () => {
  await expect(await rendered({}, PLAN)).toMatchFileSnapshot(join(import.meta.dirname, '../golden/plan.yaml'));
});

test('every field of a claim shows in the payload, so that nothing is dropped in silence', async () => {
  const plain = await rendered();
  expect(Object.keys(EVERY_PROVISIONING).toSorted()).toEqual(Object.keys(Provisioning.shape).toSorted());
  for (const field of Object.keys(Provisioning.shape).filter((name) => name !== 'format'))
    expect(await rendered({ [field]: EVERY_PROVISIONING[field] }), field).not.toBe(plain);
  for (const [list, index] of [
    ['files', 0],
    ['users', 0],
  ] as const) {
    const [item] = [(EVERY_PROVISIONING[list] as JsonObject[])[index]!];
    for (const key of Object.keys(item).filter((name) => !['path', 'name', 'content'].includes(name))) {
      const { [key]: _left, ...rest } = item;
      expect(await rendered({ [list]: [item] }), `${list}.${key}`).not.toBe(await rendered({ [list]: [rest] }));
    }
  }
});

test('every field of a plan shows in the payload', async () => {
  const whole = await rendered({}, PLAN);
  const changes = {
    nodeName: 'another',
    files: [],
    units: [],
    commands: { ...PLAN.commands, bootstrap: ['other'] },
    sentinel: '/var/lib/other',
    removeAfterBootstrap: [],
  };
  for (const [field, value] of Object.entries(changes))
    expect(await rendered({}, { ...PLAN, [field]: value }), field).not.toBe(whole);
});

describe('files arrive as they are', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((values) => Buffer.from(values)),
    fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(text)),
    fc.string({ unit: 'grapheme-ascii', maxLength: 100 }).map((text) => Buffer.from(text)),
    fc
      .array(
        fc.constantFrom(
          '{{ v }}',
          '{% raw %}',
          '%',
          "'",
          '"',
          '\\',
          '\n',
          '\r\n',
          '\t',
          ' ',
          '  ',
          '#cloud-config',
          '---',
          ': ',
          '${instanceId}',
          '\u0085',
          '\u2028',
          '\u007f',
          '\ufeff',
          '😀',
          'é',
          'a',
          '- ',
          '|',
          '>',
          '&a',
          '*a',
          '!!x',
          '\0',
        ),
        { maxLength: 12 },
      )
      .map((parts) => Buffer.from(parts.join(''))),
  );
  const mode = fc.constantFrom('0644', '0600', '0755', '0400', '0777');
  const owner = fc.constantFrom('root:root', 'ops:ops', 'root:adm', '1000:1000');
  const file = fc.record({ content: bytes, mode, owner, append: fc.boolean() });

  test('from plan and claim alike, byte for byte, with mode and owner', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 4 }), fc.array(file, { maxLength: 4 }), async (planned, claimed) => {
        const plan = planned.map(({ content, ...rest }, i) => aPlanFile(`/opt/plan-${i}`, content, rest));
        const files = claimed.map(({ content, ...rest }, i) => ({
          ...rest,
          path: `/opt/claim-${i}`,
          content: content.toString('base64'),
          encoding: 'base64',
        }));
        const text = await rendered({ files }, { ...PLAN, files: plan });
        const found = new Map(filesOf(text).map((written) => [written.path, written]));
        const wanted = [
          ...planned.map((given, i) => [`/opt/plan-${i}`, given] as const),
          ...claimed.map((given, i) => [`/opt/claim-${i}`, given] as const),
        ];
        for (const [path, given] of wanted) {
          const { bytes: written, permissions, owner: whose, append } = found.get(path)!;
          expect(written.equals(given.content)).toBe(true);
          expect({ permissions, owner: whose, append }).toEqual({
            permissions: given.mode,
            owner: given.owner,
            append: given.append,
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  test('as text a claim gives, too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (content) => {
        const text = await rendered({ files: [{ path: '/opt/a', content }] });
        const found = filesOf(text).find(({ path }) => path === '/opt/a');
        expect(found?.bytes.equals(Buffer.from(content))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('the whole is ASCII without tabs, since YAML 1.1 and 1.2 differ beyond that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), async (gecos) => {
        const text = await rendered({ users: [{ name: 'ops', gecos }] });
        expect(text).toMatch(/^[\n\x20-\x7e]*$/);
        expect(parse(text)).toMatchObject({ users: ['default', { gecos }] });
      }),
      { numRuns: 200 },
    );
  });

  test.for([
    { name: 'text that any YAML reads alike stays readable', content: 'a: b\n\n  c\nd', readable: true },
    { name: 'an empty file', content: '', readable: true },
    { name: 'a tab', content: 'a\tb\n', readable: false },
    { name: 'white space in front', content: ' a\n', readable: false },
    { name: 'a carriage return', content: 'a\r\n', readable: false },
    { name: 'a letter beyond ASCII', content: 'ä\n', readable: false },
  ])('$name: as text is $readable', async ({ content, readable }) => {
    const { write_files: written } = parse(await rendered({ files: [{ path: '/opt/a', content }] })) as {
      write_files: JsonObject[];
    };
    expect(written[0]?.['encoding']).toBe(readable ? undefined : 'b64');
  });
});

describe('the order of things', () => {
  test.for([
    { owner: 'ops:ops', defer: true },
    { owner: 'root:ops', defer: true },
    { owner: 'root:appgroup', defer: true },
    { owner: 'root:root', defer: false },
    { owner: 'ubuntu:ubuntu', defer: false },
  ])('a file of $owner waits for users and groups that are made here: $defer', async ({ owner, defer }) => {
    const users = [{ name: 'ops', groups: ['appgroup'] }];
    const text = await rendered({ users, files: [{ path: '/opt/a', content: 'a', owner }] });
    expect(filesOf(text).find(({ path }) => path === '/opt/a')?.defer).toBe(defer);
  });

  test('one entry runs everything, since a second would run after a failed first', async () => {
    const { runcmd } = parse(await rendered(EVERY_PROVISIONING)) as { runcmd: unknown };
    expect(runcmd).toEqual([['/bin/sh', '/etc/slipway/bootstrap.sh']]);
  });

  test('there is no template header, so braces mean nothing', async () => {
    const text = await rendered({ files: [{ path: '/opt/a', content: '## template: jinja\n{{ v1.region }}\n' }] });
    expect(text.split('\n')[0]).toBe('#cloud-config');
  });
});

test('equal orders make equal bytes, whatever the order of their keys', async () => {
  const reversed: JsonObject = Object.fromEntries(Object.entries(EVERY_PROVISIONING).toReversed());
  expect(sameJson(reversed, EVERY_PROVISIONING)).toBe(true);
  expect(await rendered(reversed)).toBe(await rendered(EVERY_PROVISIONING));
});
