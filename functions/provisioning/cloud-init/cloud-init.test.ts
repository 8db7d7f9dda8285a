import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cloudInit } from './cloud-init.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { type JsonObject, sameJson } from '#lib/api/json.ts';
import { CERTIFICATE, EVERY_PROVISIONING } from '../../../test/support/everything.ts';
import { filesOf } from '../../../test/support/first-boot.ts';
import { aPlan, aPlanFile, changesOf, rendered } from '../plan.fixture.ts';

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

test('renders units, files with variables and commands of a plan', async () => {
  await expect(await rendered({}, PLAN)).toMatchFileSnapshot(join(import.meta.dirname, '../golden/plan.yaml'));
});

test('every field of a claim is in the payload, so that none is silently ignored', async () => {
  const plain = await rendered();
  const said = Object.keys(Provisioning.shape).filter((name) => !(name in cloudInit.limits));
  expect(Object.keys(EVERY_PROVISIONING).toSorted()).toEqual(said.toSorted());
  for (const field of said.filter((name) => name !== 'format'))
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

test('a file with a numeric owner is written as root and changes its owner before any command; the last entry for a path counts', async () => {
  const file = (path: string, owner: string) => ({ path, content: 'a', append: true, owner });
  const files = [file('/opt/a', 'root:2000'), file('/opt/b', '7:7'), file('/opt//b', 'ops:1000')];
  const text = await rendered({ files: [...files, file('/opt/a', 'root:adm')], commands: { pre: ['step'] } });
  const owners = filesOf(text).filter(({ path }) => path.startsWith('/opt/'));
  expect(owners.map(({ owner }) => owner)).toEqual(['root:root', 'root:root', 'root:root', 'root:adm']);
  const script =
    filesOf(text)
      .find(({ path }) => path === '/etc/slipway/bootstrap.sh')
      ?.bytes.toString() ?? '';
  const steps = script.split('\n').filter((line) => line.startsWith('run '));
  expect(steps.filter((line) => /\.owner|commands/.test(line))).toEqual([
    "run 'files[2].owner' 'chown ops:1000 /opt//b'",
    "run 'commands.pre[0]' step",
  ]);
});

test('every field of a plan is in the payload', async () => {
  const whole = await rendered({}, PLAN);
  for (const [field, changed] of changesOf(PLAN)) expect(await rendered({}, changed), field).not.toBe(whole);
});

describe('files arrive unchanged', () => {
  test('also text of a claim', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (content) => {
        const text = await rendered({ files: [{ path: '/opt/a', content }] });
        const found = filesOf(text).find(({ path }) => path === '/opt/a');
        expect(found?.bytes.equals(Buffer.from(content))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('the whole payload is ASCII without tabs, because YAML 1.1 and 1.2 differ beyond that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), async (any) => {
        const certificate = `${any}\n${CERTIFICATE}`;
        const text = await rendered({ caCertificates: [certificate] });
        expect(text).toMatch(/^[\n\x20-\x7e]*$/);
        expect(parse(text)).toMatchObject({ ca_certs: { trusted: [certificate] } });
      }),
      { numRuns: 200 },
    );
  });

  test.for([
    {
      name: 'text that every YAML parser reads the same way stays readable',
      content: 'a: b\n\n  c\nd',
      readable: true,
    },
    { name: 'an empty file', content: '', readable: true },
    { name: 'a tab', content: 'a\tb\n', readable: false },
    { name: 'leading white space', content: ' a\n', readable: false },
    { name: 'a carriage return', content: 'a\r\n', readable: false },
    { name: 'a letter that is not ASCII', content: 'ä\n', readable: false },
  ])('$name: as text is $readable', async ({ content, readable }) => {
    const { write_files: written } = parse(await rendered({ files: [{ path: '/opt/a', content }] })) as {
      write_files: JsonObject[];
    };
    expect(written[1]?.['encoding']).toBe(readable ? undefined : 'b64');
  });
});

describe('the order of steps', () => {
  test.for([
    { owner: 'ops:ops', defer: true },
    { owner: 'root:ops', defer: true },
    { owner: 'root:appgroup', defer: true },
    { owner: 'root:root', defer: false },
    { owner: 'ubuntu:ubuntu', defer: false },
  ])('a file of $owner waits for users and groups that are created here: $defer', async ({ owner, defer }) => {
    const users = [{ name: 'ops', groups: ['appgroup'] }];
    const text = await rendered({ users, files: [{ path: '/opt/a', content: 'a', owner }] });
    expect(filesOf(text).find(({ path }) => path === '/opt/a')?.defer).toBe(defer);
  });

  test.for([
    { path: '/var/lib/data/a', defer: true },
    { path: '/var/lib//data/b/c', defer: true },
    { path: '/var/lib/database', defer: false },
  ])('a file at $path waits for the mount above it: $defer', async ({ path, defer }) => {
    const mounts = [{ device: 'LABEL=data', path: '/var/lib/data/' }];
    const text = await rendered({ mounts, files: [{ path, content: 'a' }] });
    expect(filesOf(text).find((file) => file.path === path)?.defer).toBe(defer);
  });

  test('a file with appended parts waits if the file it appends to waits', async () => {
    const files = [
      { path: '/opt/a', content: 'a', owner: 'root:app' },
      { path: '/opt/a', content: 'b', append: true },
    ];
    const text = await rendered({ groups: [{ name: 'app' }], files });
    expect(filesOf(text).filter(({ path }) => path === '/opt/a')).toMatchObject([{ defer: true }, { defer: true }]);
  });

  test('one runcmd entry runs all commands, because a second entry would run after the first failed', async () => {
    const { runcmd } = parse(await rendered(EVERY_PROVISIONING)) as { runcmd: unknown };
    expect(runcmd).toEqual([['/bin/sh', '/etc/slipway/bootstrap.sh']]);
  });

  test('there is no template header, so braces have no meaning', async () => {
    const text = await rendered({ files: [{ path: '/opt/a', content: '## template: jinja\n{{ v1.region }}\n' }] });
    expect(text.split('\n')[0]).toBe('#cloud-config');
  });
});

const lastCommand = (text: string): string => (parse(text) as { bootcmd: string[][] }).bootcmd.at(-1)?.at(-1) ?? '';

describe('settings that need care in cloud-init', () => {
  test.for([
    { name: 'an existing filesystem is kept', wipe: false },
    { name: 'an existing filesystem is overwritten when the claim says so', wipe: true },
  ])('$name', async ({ wipe }) => {
    const text = await rendered({ filesystems: [{ device: '/dev/sdb', wipe }] });
    expect(/wipefs -aq "\$d"/.test(lastCommand(text))).toBe(wipe);
    expect(lastCommand(text)).toContain('blkid -p ');
  });

  test('the label of a FAT filesystem, for which mkfs.vfat has another flag', async () => {
    const text = await rendered({ filesystems: [{ device: '/dev/sdb', format: 'vfat', label: 'ESP' }] });
    expect(lastCommand(text)).toContain('mkfs.vfat -I -n ESP "$d"');
  });

  test('a device with a dot, which its modules would divide', async () => {
    const device = '/dev/disk/by-path/pci-0000:00:1f.2-ata-1';
    expect(lastCommand(await rendered({ filesystems: [{ device }] }))).toContain(`d=${device}\n`);
  });

  test('keys of a claim that YAML 1.1 would read as another type', async () => {
    const text = await rendered({ raw: { 'cloud-init': { fake: { on: 'yes', '1_0': 1, 'a: b': null, é: [] } } } });
    expect(text).toContain('  "on": "yes"\n');
    expect(parse(text, { version: '1.1' })).toMatchObject({ fake: { on: 'yes', '1_0': 1, 'a: b': null, é: [] } });
  });
});

test('equal claims and plans give equal bytes, whatever the order of their keys', async () => {
  const reversed: JsonObject = Object.fromEntries(Object.entries(EVERY_PROVISIONING).toReversed());
  expect(sameJson(reversed, EVERY_PROVISIONING)).toBe(true);
  expect(await rendered(reversed)).toBe(await rendered(EVERY_PROVISIONING));
});
