/** First-boot data run by the real cloud-init, in a separate Debian, and the state of the host afterwards. */
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { HANDED_OVER_PATH } from '#lib/api/contracts/payload.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { CERTIFICATE, EVERY_PROVISIONING, REGISTRIES } from '../support/everything.ts';
import { SCRIPT_PATH } from '../../functions/provisioning/script.ts';
import {
  aBootstrappedCluster,
  type CloudFile,
  type FirstBoot,
  filesOf,
  firstBoot,
  machineOf,
  type MACHINES,
} from '../support/first-boot.ts';
import { type Boot, firstBootOn, scratchRoot } from './scratch-host.ts';
import { asClaimed } from './claimed-files.ts';

const KINDS = ['init', 'control-plane', 'worker'] as const satisfies readonly (keyof typeof MACHINES)[];
const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';
const KUBEADM = '/etc/kubernetes/kubeadm.yaml';
/** The data that the boot stub fetched. */
const FETCHED = '/var/lib/slipway-first-boot.cfg';
const ASKED_TOO = [
  '/etc/passwd',
  '/etc/shadow',
  SENTINEL,
  '/root/kubeadm-was-told',
  '/etc/localtime',
  '/etc/ssl/certs/ca-certificates.crt',
  FETCHED,
];

const root = scratchRoot();
if ('missing' in root) process.stdout.write(`skipped: running cloud-init: ${root.missing}\n`);

interface Ran {
  readonly data: FirstBoot;
  readonly boot: Boot;
}

/** A value for every field of a claim, on a machine with an empty second disk. */
const EVERYTHING: JsonObject = {
  ...EVERY_PROVISIONING,
  registries: REGISTRIES,
  commands: { pre: ['step claimed pre'], post: ['step claimed post'] },
};

async function run(kind: keyof typeof MACHINES, provisioning = EVERYTHING, handedOver?: string): Promise<Ran> {
  const cluster = await aBootstrappedCluster({ initialized: kind !== 'init' });
  const data = await firstBoot(cluster, machineOf(kind, { provisioning }));
  const boot = firstBootOn({
    root: 'path' in root ? root.path : '',
    text: (disk) => data.text.replaceAll('/dev/nvme1n1', disk),
    asked: [...filesOf(data.text).map(({ path }) => path), ...ASKED_TOO],
    ...(handedOver === undefined ? {} : { handedOver }),
    secret: /[a-z0-9]{6}\.[a-z0-9]{16}/.exec(data.text)?.[0] ?? '',
  });
  return { data, boot };
}

function holds({ path, append, bytes }: CloudFile, found: Buffer | undefined): boolean {
  // cloud-init separates the columns of /etc/hosts with tabs when it adds the name of the host.
  if (append) return words(found).includes(words(bytes));
  // The script looks at the loop device that replaces the disk.
  return found?.equals(bytes) === true || path === SCRIPT_PATH;
}

function words(bytes: Buffer | undefined): string {
  return (bytes?.toString() ?? '').trim().split(/\s+/).join(' ');
}

const CALLS = [
  'swapon --show=NAME --noheadings',
  'apt-get -qq -s install nfs-common',
  'modprobe nf_conntrack',
  'sysctl -q -p /etc/sysctl.d/90-slipway.conf',
  'systemctl daemon-reload',
  'systemctl enable --now exporter.service',
  'systemctl try-restart kubelet.service',
  'step claimed pre',
  'modprobe -a overlay br_netfilter',
  'sysctl -e -q -p /etc/sysctl.d/50-slipway-kubeadm.conf',
  'systemctl enable --quiet kubelet.service',
  'systemctl daemon-reload',
  'systemctl try-restart containerd.service',
  'containerd config dump',
];
const CLUSTER = '/etc/kubernetes/kubeadm-cluster.yaml';
const BOOTSTRAP = {
  init: [`kubeadm init --config ${KUBEADM} --skip-token-print`],
  'control-plane': [
    `kubeadm kubeconfig user --config ${CLUSTER} --org system:masters --client-name slipway-first-boot`,
    `kubeadm init phase upload-config kubeadm --config ${CLUSTER} --kubeconfig /etc/kubernetes/slipway-upload.conf`,
    `kubeadm join --config ${KUBEADM}`,
  ],
  worker: [`kubeadm join --config ${KUBEADM}`],
};

describe.skipIf('missing' in root).for(KINDS)('%s, with everything a claim can say', (kind) => {
  let ran: Ran;
  beforeAll(async () => {
    ran = await run(kind);
  });

  test('cloud-init reports success, and the sentinel exists', () => {
    expect(ran.boot.status, ran.boot.output).toBe('done');
    expect(ran.boot.files.has(SENTINEL)).toBe(true);
  });

  test('every file has its bytes, mode and owner, also on the disk that was mounted', () => {
    const { data, boot } = ran;
    const { removeAfterBootstrap } = data.plan;
    const wanted = filesOf(data.text).filter(({ path }) => !removeAfterBootstrap.includes(path));
    const found = wanted.map((file) => {
      const { mode, owner, bytes } = boot.files.get(file.path) ?? {};
      return { path: file.path, permissions: `0${mode}`, owner, same: holds(file, bytes) };
    });
    expect(found).toEqual(asClaimed(wanted));
    expect(removeAfterBootstrap.filter((path) => boot.files.has(path))).toEqual([]);
  });

  test('users are as the claim says', () => {
    const line = (file: string): readonly string[] => {
      const lines = ran.boot.files.get(file)?.bytes.toString().split('\n') ?? [];
      return lines.find((one) => one.startsWith('agent:'))?.split(':') ?? [];
    };
    const [, , uid, gid, , home] = line('/etc/passwd');
    expect({ uid, gid, home }).toEqual({ uid: '1501', gid: '1500', home: '/var/lib/agent' });
    const [, hash, , , , , , expires] = line('/etc/shadow');
    expect({ hash, expires }).toEqual({ hash: '!$6$fake$locked', expires: `${Date.UTC(2100, 0, 1) / 86_400_000}` });
  });

  test('packages are installed first, and then everything is done in its order', () => {
    const { calls } = ran.boot;
    const packages = calls.findIndex((call) => /^apt-get .* install nfs-common$/.test(call));
    expect(packages).toBeGreaterThan(-1);
    expect(calls.slice(packages + 1)).toEqual([...CALLS, ...BOOTSTRAP[kind], 'step claimed post']);
  });

  test('kubeadm gets the values that only this machine knows, and its token is removed afterwards', () => {
    const { files, holders } = ran.boot;
    expect(files.get('/root/kubeadm-was-told')?.bytes.toString()).toContain('aws:///eu-west-1a/i-0fake');
    expect(holders).toEqual(['/root/kubeadm-was-told']);
  });

  test('the host trusts the certificate of the claim, and uses its time zone', () => {
    const trusted = ran.boot.files.get('/etc/ssl/certs/ca-certificates.crt')?.bytes.toString();
    expect(trusted).toContain(CERTIFICATE.split('\n')[1]);
    expect(ran.boot.files.has('/etc/localtime')).toBe(true);
  });
});

test.skipIf('missing' in root)(
  'no join secret of handed-over data is left on the disk, and later boots still recognize the instance',
  async () => {
    const { data, boot } = await run('worker', EVERYTHING, HANDED_OVER_PATH);
    expect(boot.status, boot.output).toBe('done');
    expect(boot.files.has(SENTINEL)).toBe(true);
    expect(boot.calls).toContain(`kubeadm join --config ${KUBEADM}`);
    expect(boot.holders).toEqual(['/root/kubeadm-was-told']);
    const { write_files: _files, runcmd: _commands, ...kept } = parse(data.text) as JsonObject;
    const fetched = boot.files.get(FETCHED);
    expect(fetched?.mode).toBe('600');
    expect(Object.keys(parse(String(fetched?.bytes)) as JsonObject).toSorted()).toEqual(Object.keys(kept).toSorted());
    expect(parse(String(fetched?.bytes))).toMatchObject({ hostname: kept['hostname'], preserve_hostname: false });
  },
);

// What cloud-init itself does, and goes on without, is in faults.
describe.skipIf('missing' in root)('a first boot that fails', () => {
  test.for([
    { name: 'commands.pre[0]', claimed: { commands: { pre: ['step claimed pre; false'] } } },
    { name: 'mounts[0]', claimed: { mounts: [{ device: 'LABEL=none', path: '/var/lib/none' }] } },
  ])('at $name runs no bootstrap command, and creates no sentinel', async ({ name, claimed }) => {
    const { boot } = await run('worker', claimed);
    expect(boot.output).toContain(`slipway: ${name} failed`);
    expect(boot.status).toBe('error');
    expect(boot.calls.filter((call) => call.startsWith('kubeadm'))).toEqual([]);
    expect(boot.files.has(SENTINEL)).toBe(false);
  });
});
