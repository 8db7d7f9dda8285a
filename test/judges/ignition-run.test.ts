/**
 * First-boot data run by the real Ignition and the unit it enables, in a separate Debian: the host is as the data and
 * the plan say, and the same commands run as with cloud-init. Disks are in partitions-run.test.ts.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { everyFieldOf, type IgnitionFormat } from '../../functions/provisioning/ignition/everything.fixture.ts';
import { REGISTRIES } from '../support/everything.ts';
import { aBootstrappedCluster, type FirstBoot, firstBoot, machineOf, type MACHINES } from '../support/first-boot.ts';
import { ignitionFiles } from '../support/ignition.ts';
import { OLD_IGNITION } from './build-old-ignition.ts';
import { asClaimed } from './claimed-files.ts';
import { cached, type Found } from './cache.ts';
import { IGNITION } from './debian.ts';
import { type Boot, firstBootOn, scratchRoot } from './scratch-host.ts';

const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';
const KUBEADM = '/etc/kubernetes/kubeadm.yaml';

/** Of both specifications. */
const KEYS = ['/home/ops/.ssh/authorized_keys.d/ignition', '/home/ops/.ssh/authorized_keys'];

const root = scratchRoot();
const FOUND: Readonly<Record<IgnitionFormat, Found>> = {
  ignition: cached(...IGNITION),
  'ignition-2.3': cached(...OLD_IGNITION),
};
const SPECIFICATION = { ignition: 3, 'ignition-2.3': 2 } as const;
const FORMATS = Object.keys(SPECIFICATION) as IgnitionFormat[];

const missingFor = (format: IgnitionFormat): string | undefined =>
  [root, FOUND[format]].flatMap((found) => ('missing' in found ? [found.missing] : []))[0];
for (const format of FORMATS) {
  const missing = missingFor(format);
  if (missing !== undefined) process.stdout.write(`skipped: running ${format}: ${missing}\n`);
}

interface Ran {
  readonly data: FirstBoot;
  readonly boot: Boot;
}

async function run(format: IgnitionFormat, kind: keyof typeof MACHINES, claimed: JsonObject): Promise<Ran> {
  const cluster = await aBootstrappedCluster({ initialized: kind !== 'init' });
  const data = await firstBoot(cluster, machineOf(kind, { provisioning: { format, ...claimed } }));
  const found = FOUND[format];
  const boot = firstBootOn({
    root: 'path' in root ? root.path : '',
    ignition: 'path' in found ? found.path : '',
    specification: SPECIFICATION[format],
    text: () => data.text,
    asked: [
      ...ignitionFiles(data.text).map(({ path }) => path),
      SENTINEL,
      '/root/kubeadm-was-told',
      '/etc/passwd',
      '/etc/group',
      '/etc/shadow',
      ...KEYS,
    ],
    secret:
      /[a-z0-9]{6}\.[a-z0-9]{16}/.exec(
        JSON.stringify(data.plan.files.map(({ content }) => Buffer.from(content, 'base64').toString())),
      )?.[0] ?? '',
  });
  return { data, boot };
}

/** Of storage and kernel there is nothing here; raw fields are what Slipway does not know. */
const ELSEWHERE = new Set(['disks', 'filesystems', 'mounts', 'swap', 'kernelArguments', 'raw']);
const everythingOf = (format: IgnitionFormat): JsonObject =>
  Object.fromEntries(Object.entries(everyFieldOf(format)).filter(([name]) => !ELSEWHERE.has(name)));

const CASES = FORMATS.flatMap((format) => (['init', 'worker'] as const).map((kind) => ({ format, kind })));

describe.for(CASES)('$format, $kind', ({ format, kind }) => {
  const missing = missingFor(format);
  let ran: Ran;
  beforeAll(async () => {
    if (missing !== undefined) return;
    ran = await run(format, kind, {
      ...everythingOf(format),
      registries: REGISTRIES,
      commands: { pre: ['step claimed pre'], post: ['step claimed post'] },
    });
  });

  test.skipIf(missing !== undefined)('Ignition and the script succeed, and the sentinel exists', () => {
    expect(ran.boot.status, ran.boot.output).toBe('done');
    expect(ran.boot.files.has(SENTINEL)).toBe(true);
  });

  test.skipIf(missing !== undefined)(
    'every file has its bytes, mode and owner, and those with join secrets are gone',
    () => {
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
      expect(found).toEqual(asClaimed(wanted));
      expect(removeAfterBootstrap.filter((path) => boot.files.has(path))).toEqual([]);
      expect(boot.holders).toEqual(['/root/kubeadm-was-told']);
    },
  );

  test.skipIf(missing !== undefined)('users and groups exist', () => {
    const text = (path: string) => String(ran.boot.files.get(path)?.bytes);
    expect(text('/etc/passwd')).toMatch(/^ops:x:\d+:\d+:Zoë of operations:\/home\/ops:\/bin\/bash$/m);
    expect(text('/etc/passwd')).toMatch(/^agent:x:1501:1500:[^:]*:\/var\/lib\/agent:/m);
    const [, hash, , , , , , expires] = /^agent:.*$/m.exec(text('/etc/shadow'))?.[0].split(':') ?? [];
    expect({ hash, expires }).toEqual({ hash: '!$6$fake$locked', expires: `${Date.UTC(2100, 0, 1) / 86_400_000}` });
    expect(text('/etc/group')).toMatch(/^adm:x:\d+:ops$/m);
    expect(text('/etc/group')).toMatch(/^data:x:2000:$/m);
    expect(KEYS.map(text).join()).toContain('AAAAC3NzaC1lZDI1NTE5AAAAIfake');
  });

  test.skipIf(missing !== undefined)('commands run in the order that cloud-init runs them in', () => {
    const own = ran.boot.calls.filter((call) => /^(step|kubeadm (init|join))/.test(call));
    const bootstrap =
      kind === 'init' ? `kubeadm init --config ${KUBEADM} --skip-token-print` : `kubeadm join --config ${KUBEADM}`;
    expect(own).toEqual(['step claimed pre', bootstrap, 'step claimed post']);
    expect(String(ran.boot.files.get('/root/kubeadm-was-told')?.bytes)).toContain('aws:///eu-west-1a/i-0fake');
  });
});

test.for(FORMATS.filter((format) => missingFor(format) === undefined))(
  '%s stops the boot at a file whose owner does not exist, before anything is a node',
  async (format) => {
    const { boot } = await run(format, 'worker', {
      files: [{ path: '/etc/motd', content: 'a', owner: 'root:nobody-else' }],
    });
    expect(boot.status).toBe('error');
    expect(boot.output).toContain('nobody-else');
    expect(boot.calls).toEqual([]);
  },
);

test.for(FORMATS.filter((format) => missingFor(format) === undefined))(
  '%s leaves files of claim and plan as cloud-init does',
  async (format) => {
    const claimed = everythingOf(format);
    const { boot } = await run(format, 'worker', claimed);
    const cluster = await aBootstrappedCluster();
    const provisioning = { ...claimed, format: 'cloud-init' };
    const { text, plan } = await firstBoot(cluster, machineOf('worker', { provisioning }));
    const paths = [...plan.files, ...(claimed['files'] as readonly { readonly path: string }[])].map(
      ({ path }) => path,
    );
    const other = firstBootOn({
      root: 'path' in root ? root.path : '',
      text: () => text,
      asked: paths,
      secret: 'none',
    });
    expect(other.status, other.output).toBe('done');
    const tree = ({ files }: Boot) => paths.map((path) => ({ path, ...files.get(path) }));
    expect(tree(other)).toEqual(tree(boot));
    expect(other.files.size).toBeGreaterThan(8);
  },
);
