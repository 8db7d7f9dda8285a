/**
 * First-boot data run by the real Ignition and the unit it enables, in a separate Debian: the host is as the data and
 * the plan say, and the same commands run as with cloud-init. Disks are in partitions-run.test.ts.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { everyFieldOf } from '../../functions/provisioning/ignition/everything.fixture.ts';
import { REGISTRIES } from '../support/everything.ts';
import { aBootstrappedCluster, type FirstBoot, firstBoot, machineOf, type MACHINES } from '../support/first-boot.ts';
import { ignitionFiles } from '../support/ignition.ts';
import { cached } from './cache.ts';
import { IGNITION } from './debian.ts';
import { type Boot, firstBootOn, scratchRoot } from './scratch-host.ts';

const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';
const KUBEADM = '/etc/kubernetes/kubeadm.yaml';

const root = scratchRoot();
const ignition = cached(...IGNITION);
const missing = 'missing' in root ? root.missing : 'missing' in ignition ? ignition.missing : '';
if (missing !== '') process.stdout.write(`skipped: running Ignition: ${missing}\n`);

interface Ran {
  readonly data: FirstBoot;
  readonly boot: Boot;
}

async function run(kind: keyof typeof MACHINES, claimed: JsonObject): Promise<Ran> {
  const cluster = await aBootstrappedCluster({ initialized: kind !== 'init' });
  const data = await firstBoot(cluster, machineOf(kind, { provisioning: { format: 'ignition', ...claimed } }));
  const boot = firstBootOn({
    root: 'path' in root ? root.path : '',
    ignition: 'path' in ignition ? ignition.path : '',
    text: () => data.text,
    asked: [
      ...ignitionFiles(data.text).map(({ path }) => path),
      SENTINEL,
      '/root/kubeadm-was-told',
      '/etc/passwd',
      '/etc/group',
      '/etc/shadow',
      '/home/ops/.ssh/authorized_keys.d/ignition',
    ],
    secret:
      /[a-z0-9]{6}\.[a-z0-9]{16}/.exec(
        JSON.stringify(data.plan.files.map(({ content }) => Buffer.from(content, 'base64').toString())),
      )?.[0] ?? '',
  });
  return { data, boot };
}

const {
  disks: _disks,
  filesystems: _filesystems,
  mounts: _mounts,
  swap: _swap,
  kernelArguments: _arguments,
  raw: _raw,
  ...EVERY
} = everyFieldOf('ignition');

describe.skipIf(missing !== '').for(['init', 'worker'] as const)('%s', (kind) => {
  let ran: Ran;
  beforeAll(async () => {
    ran = await run(kind, {
      ...EVERY,
      registries: REGISTRIES,
      commands: { pre: ['step claimed pre'], post: ['step claimed post'] },
    });
  });

  test('Ignition and the script succeed, and the sentinel exists', () => {
    expect(ran.boot.status, ran.boot.output).toBe('done');
    expect(ran.boot.files.has(SENTINEL)).toBe(true);
  });

  test('every file has its bytes, mode and owner, and those with join secrets are gone', () => {
    const { data, boot } = ran;
    const { removeAfterBootstrap } = data.plan;
    const wanted = ignitionFiles(data.text).filter(({ path }) => !removeAfterBootstrap.includes(path));
    const found = wanted.map(({ path, append, bytes }) => {
      const file = boot.files.get(path);
      const text = file?.bytes ?? Buffer.alloc(0);
      return {
        path,
        permissions: `0${file?.mode}`,
        owner: file?.owner,
        same: append ? text.includes(bytes) : text.equals(bytes),
      };
    });
    const special = { '/opt/packed': '04755' } as Readonly<Record<string, string>>;
    expect(found).toEqual(
      wanted.map(({ path, permissions, owner }) => ({
        path,
        permissions: special[path] ?? permissions,
        owner,
        same: true,
      })),
    );
    expect(removeAfterBootstrap.filter((path) => boot.files.has(path))).toEqual([]);
    expect(boot.holders).toEqual(['/root/kubeadm-was-told']);
  });

  test('users and groups exist', () => {
    const text = (path: string) => String(ran.boot.files.get(path)?.bytes);
    expect(text('/etc/passwd')).toMatch(/^ops:x:\d+:\d+:Zoë of operations:\/home\/ops:\/bin\/bash$/m);
    expect(text('/etc/passwd')).toMatch(/^agent:x:1501:1500:[^:]*:\/var\/lib\/agent:/m);
    const [, hash, , , , , , expires] = /^agent:.*$/m.exec(text('/etc/shadow'))?.[0].split(':') ?? [];
    expect({ hash, expires }).toEqual({ hash: '!$6$fake$locked', expires: `${Date.UTC(2100, 0, 1) / 86_400_000}` });
    expect(text('/etc/group')).toMatch(/^adm:x:\d+:ops$/m);
    expect(text('/etc/group')).toMatch(/^data:x:2000:$/m);
    expect(text('/home/ops/.ssh/authorized_keys.d/ignition')).toContain('AAAAC3NzaC1lZDI1NTE5AAAAIfake');
  });

  test('commands run in the order that cloud-init runs them in', () => {
    const own = ran.boot.calls.filter((call) => /^(step|kubeadm (init|join))/.test(call));
    const bootstrap =
      kind === 'init' ? `kubeadm init --config ${KUBEADM} --skip-token-print` : `kubeadm join --config ${KUBEADM}`;
    expect(own).toEqual(['step claimed pre', bootstrap, 'step claimed post']);
    expect(String(ran.boot.files.get('/root/kubeadm-was-told')?.bytes)).toContain('aws:///eu-west-1a/i-0fake');
  });
});

test.skipIf(missing !== '')(
  'Ignition stops the boot at a file whose owner does not exist, before anything is a node',
  async () => {
    const { boot } = await run('worker', { files: [{ path: '/etc/motd', content: 'a', owner: 'root:nobody-else' }] });
    expect(boot.status).toBe('error');
    expect(boot.output).toContain('nobody-else');
    expect(boot.calls).toEqual([]);
  },
);
