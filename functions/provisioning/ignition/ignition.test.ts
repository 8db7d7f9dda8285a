import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { CERTIFICATE } from '../../../test/support/everything.ts';
import { ignitionFiles, ignitionOf, readableIgnition } from '../../../test/support/ignition.ts';
import { aPlan, aPlanFile, changesOf, payloadOf, rendered } from '../plan.fixture.ts';
import { EVERY_IGNITION, everyFieldOf, type IgnitionFormat } from './everything.fixture.ts';
import { ignition, legacyIgnition } from './ignition.ts';
import { unitNameOf } from './unit-name.ts';

const golden = (name: string): string => join(import.meta.dirname, '../golden', name);

const PROVISIONERS = { ignition, 'ignition-2.3': legacyIgnition };
const FORMATS = Object.keys(PROVISIONERS) as IgnitionFormat[];

const PLAN = aPlan({
  files: [
    aPlanFile('/etc/fake/join.yaml', 'token: fake-token\nid: ${failureDomain}/${instanceId}\n', {
      instanceVariables: true,
    }),
  ],
  units: [
    { name: 'fake.service', contents: '[Service]\nExecStart=/usr/bin/fake\n', enabled: true },
    { name: 'other.socket', enabled: true },
  ],
  commands: { pre: ['fake check'], bootstrap: ['fake join --config /etc/fake/join.yaml'], post: ["echo 'joined'"] },
  removeAfterBootstrap: ['/etc/fake/join.yaml'],
});

const refused = async (provisioning: JsonObject): Promise<string> =>
  rendered({ format: 'ignition', ...provisioning }).then(
    () => 'not refused',
    (thrown: unknown) => (thrown as Error).message.replace(/^cannot accept Machine "[^"]+": spec\.provisioning\./, ''),
  );

describe.for(FORMATS)('%s', (format) => {
  const { limits } = PROVISIONERS[format];
  const every = everyFieldOf(format);
  const of = (fields: JsonObject, plan: unknown = aPlan()): Promise<string> => rendered({ format, ...fields }, plan);

  test('contains all that a claim and a plan can say', async () => {
    await expect(readableIgnition(await of(every, PLAN))).toMatchFileSnapshot(golden(`${format}.yaml`));
  });

  test('ignores no field of a claim silently', async () => {
    const plain = await of({});
    const said = Object.keys(Provisioning.shape).filter((name) => !(name in limits) && name !== 'format');
    expect(Object.keys(every).toSorted()).toEqual(said.toSorted());
    for (const field of said) expect(await of({ [field]: every[field] }), field).not.toBe(plain);
  });

  test.for(['files', 'users', 'groups', 'units', 'disks', 'filesystems', 'mounts', 'hosts'])(
    'ignores no field of %s silently',
    async (list) => {
      const [item] = every[list] as JsonObject[];
      const { path: _path, name: _name, device: _device, ...rest } = item ?? {};
      for (const [key, value] of Object.entries(rest).filter(([name]) => !['content', 'contents'].includes(name))) {
        const { [key]: _left, ...others } = item ?? {};
        const without = await of({ [list]: [others] }).catch(() => 'refused');
        expect(await of({ [list]: [item ?? {}] }), `${list}.${key}: ${JSON.stringify(value)}`).not.toBe(without);
      }
    },
  );

  test('ignores no field of a plan silently', async () => {
    const whole = await of({}, PLAN);
    for (const [field, changed] of changesOf(PLAN)) expect(await of({}, changed), field).not.toBe(whole);
  });

  test.for(Object.keys({ packages: 0, registries: 0, ...limits }))('refuses %s, and says what to do', async (field) => {
    const set = { ...EVERY_IGNITION, packages: ['nfs-common'], registries: [MIRROR] }[field];
    const message = await of({ [field]: set }).catch((thrown: unknown) => (thrown as Error).message);
    expect(message).toContain(`spec.provisioning.${field}: ${format} cannot express it; accepted: `);
  });

  test('writes nothing to a path that may be lost on a first boot', async () => {
    const paths = ignitionFiles(await of(every, PLAN)).map(({ path }) => path);
    expect(paths.filter((path) => /^\/(run|tmp|proc|sys|dev)\//.test(path))).toEqual([]);
  });

  test('gives equal bytes, whatever the order of the keys of a claim', async () => {
    expect(await of(Object.fromEntries(Object.entries(every).toReversed()))).toBe(await of(every));
  });

  test('merges all parts of one path, because Ignition accepts a path once', async () => {
    const files = [
      { path: '/etc/motd', content: 'a\n', owner: 'ops:ops' },
      { path: '/etc//motd', content: 'b\n', append: true, mode: '0600', owner: 'core:1000' },
    ];
    const motd = ignitionFiles(await of({ files })).find(({ path }) => path === '/etc/motd');
    expect(motd).toEqual({
      path: '/etc/motd',
      bytes: Buffer.from('a\nb\n'),
      owner: 'core:1000',
      permissions: '0600',
      append: false,
    });
  });
});

test('puts all data of a plan into the sealed part only, including its units', async () => {
  const units = [{ name: 'fake.service', contents: '[Service]\nEnvironment=TOKEN=fake-generated\n', enabled: true }];
  const plan = aPlan({ files: [aPlanFile('/etc/hosts', 'fake-generated\n', { append: true })], units });
  const { apart } = await payloadOf({ format: 'ignition', hosts: [{ address: '10.0.0.9', names: ['a'] }] }, plan);
  const [open, sealed] = [apart?.open, apart?.sealed].map((part) => Buffer.from(part ?? '', 'base64').toString());
  expect(JSON.stringify([open, ignitionFiles(open!).map(({ bytes }) => String(bytes))])).not.toContain('generated');
  const found = ignitionFiles(sealed!).map(({ path, bytes, append }) => ({ path, bytes: String(bytes), append }));
  expect(found).toContainEqual({ path: '/etc/systemd/system/fake.service', bytes: units[0]!.contents, append: false });
  expect(found.find(({ path }) => path === '/etc/hosts')).toMatchObject({ append: true });
});

test('renders specification 2.3 in one part, because images with it cannot read a secret store', async () => {
  expect(await payloadOf({ format: 'ignition-2.3' })).not.toHaveProperty('apart');
});

const MIRROR = { host: 'docker.io', mirrors: ['https://mirror.example.com'] };

describe('the version of the specification', () => {
  const luks = (fields: JsonObject): JsonObject => ({
    raw: { ignition: { storage: { luks: [{ name: 'data', device: '/dev/nvme1n1', ...fields }] } } },
  });

  test.for([
    { name: 'is 3.3 by default, which every current image supports', fields: {}, version: '3.3.0' },
    { name: 'is also 3.3 for an encrypted disk', fields: luks({}), version: '3.3.0' },
    { name: 'is 3.4 for discard', fields: luks({ discard: true }), version: '3.4.0' },
    { name: 'is 3.5 for a key in hardware', fields: luks({ cex: { enabled: true } }), version: '3.5.0' },
  ])('$name', async ({ fields, version }) => {
    const text = await rendered({ format: 'ignition', ...fields });
    expect(ignitionOf(text).ignition.version).toBe(version);
    expect((JSON.parse(text) as JsonObject)['ignition']).toMatchObject({ version });
  });
});

describe('what Ignition would do wrong is refused', () => {
  test.for([
    {
      name: 'a raw field that is already set',
      fields: { raw: { ignition: { storage: { files: [] } } } },
      line: 'raw.ignition.storage.files: is set by other fields; accepted: the matching fields of spec.provisioning, or other fields',
    },
    {
      name: 'another version of the specification',
      fields: { raw: { ignition: { ignition: { version: '3.5.0' } } } },
      line: 'raw.ignition.ignition.version: is set by other fields; accepted: the matching fields of spec.provisioning, or other fields',
    },
    {
      name: 'a raw field that Ignition does not know',
      fields: { raw: { ignition: { runcmd: {} } } },
      line: 'raw.ignition.runcmd: is not accepted; accepted: an object at one of ignition, kernelArguments, networkd, passwd, storage, systemd',
    },
    {
      name: 'a file that a mount would hide',
      fields: {
        mounts: [{ device: '/dev/sdb', path: '/var/lib/data' }],
        files: [{ path: '/var/lib/data/a', content: '' }],
      },
      line: 'files: ignition writes "/var/lib/data/a" before "/var/lib/data" is mounted; accepted: commands.pre, or a mount whose device is one of filesystems',
    },
    {
      name: 'an option that only /etc/fstab supports',
      fields: { mounts: [{ device: '/dev/sdb', path: '/var/lib/data', options: ['noatime', 'x-systemd.automount'] }] },
      line: 'mounts[0].options[1]: ignition cannot express "x-systemd.automount"; accepted: options of mount(8), or units with a mount unit of your own',
    },
    {
      name: 'a mount point twice',
      fields: { mounts: ['/dev/sdb', '/dev/sdc'].map((device) => ({ device, path: '/var/lib/data' })) },
      line: 'mounts[1].path: "/var/lib/data" is not accepted; accepted: each path once',
    },
    {
      name: 'an invalid time zone',
      fields: { timezone: '../../../etc/shadow' },
      line: 'timezone: "../../../etc/shadow" is not accepted; accepted: a name such as Europe/Zurich',
    },
    {
      name: 'a unit of Slipway',
      fields: { units: [{ name: 'slipway-bootstrap.service', contents: '[Service]\n' }] },
      line: 'units[0].name: "slipway-bootstrap.service" is not accepted; accepted: a unit that nothing else writes',
    },
    {
      name: 'a unit twice',
      fields: {
        units: [
          { name: 'a.service', contents: '[Service]\n' },
          { name: 'a.service', enabled: true },
        ],
      },
      line: 'units[1].name: "a.service" is not accepted; accepted: each name once',
    },
    {
      name: 'a file of Slipway',
      fields: { files: [{ path: '/etc/hostname', content: '' }] },
      line: 'files: "/etc/hostname" is not accepted; accepted: a path that nothing else writes; append: true adds to the file',
    },
  ])('$name', async ({ fields, line }) => {
    expect(await refused(fields as unknown as JsonObject)).toBe(line);
  });
});

describe('the host', () => {
  const of = async (fields: JsonObject) => ignitionOf(await rendered({ format: 'ignition', ...fields }));

  test('gets the files of a filesystem before systemd mounts it', async () => {
    const config = await of({
      filesystems: [{ device: '/dev/sdb', label: 'data' }],
      mounts: [{ device: 'LABEL=data', path: '/var/lib/data' }],
      files: [{ path: '/var/lib/data/a', content: '' }],
    });
    expect(config.storage['filesystems']).toEqual([
      { device: '/dev/sdb', path: '/var/lib/data', format: 'ext4', label: 'data' },
    ]);
  });

  test('does not become a node without its mounts, unless the claim allows it', async () => {
    const mounts = [
      { device: '/dev/sdb', path: '/var/lib/etcd' },
      { device: '/dev/sdc', path: '/var/lib/scratch', options: ['nofail'] },
    ];
    const { units } = (await of({ mounts })).systemd;
    expect(units.find(({ name }) => name === 'slipway-bootstrap.service')?.contents).toContain(
      'RequiresMountsFor=/var/lib/etcd\n',
    );
  });

  test.for(['', 'a', 'ops ops'])('has the keys and groups of a user once: %s', async (extra) => {
    const config = await of({
      users: [{ name: 'ops', groups: ['adm', 'adm'], sshAuthorizedKeys: [`k${extra}`, `k${extra}`] }],
    });
    expect(config.passwd).toEqual({ users: [{ name: 'ops', groups: ['adm'], sshAuthorizedKeys: [`k${extra}`] }] });
  });

  test('trusts certificates before it pulls anything', async () => {
    const text = await rendered({ format: 'ignition', caCertificates: [CERTIFICATE] });
    const script = String(ignitionFiles(text).find(({ path }) => path === '/etc/slipway/bootstrap.sh')?.bytes);
    expect(script.indexOf('run caCertificates ')).toBeGreaterThan(0);
    expect(script.indexOf('run caCertificates ')).toBeLessThan(script.indexOf("once 'kubeadm bootstrap[0]'"));
  });
});

const escape = spawnSync('systemd-escape', ['--version']);
if (escape.error !== undefined) process.stdout.write('skipped: systemd-escape is not installed\n');

test.skipIf(escape.error !== undefined)('names mount units as systemd does', () => {
  const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => /^[^/\0\n]+$/.test(text));
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
  const plain = path.filter((text) => !/\/\.{1,2}(\/|$)/.test(text));
  const samples = [
    '/var/lib/etcd-data',
    '/.hidden/.x',
    '/var//lib/a/',
    '/a b',
    ...fc.sample(plain, { numRuns: 200, seed: 7 }),
  ];
  const { stdout } = spawnSync('systemd-escape', ['--path', '--suffix=mount', '--', ...samples], { encoding: 'utf8' });
  expect(samples.map((text) => unitNameOf(text, 'mount')).join(' ')).toBe(stdout.trimEnd());
});
