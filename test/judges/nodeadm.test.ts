/** User data of EKS nodes on Amazon Linux: read by nodeadm and by cloud-init, and run by the latter. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { SCRIPT_PATH } from '../../functions/provisioning/script.ts';
import { anEksCluster, anEksMachine } from '../support/eks.ts';
import { EVERY_NODEADM } from '../../functions/bootstrap/nodeadm/everything.fixture.ts';
import { EVERY_NODEADM_PROVISIONING } from '../../functions/provisioning/nodeadm/everything.fixture.ts';
import { filesOf, firstBoot } from '../support/first-boot.ts';
import { partOf, partsOf } from '../support/mime.ts';
import { CLOUD_INIT_RELEASES, cloudInitOf, commandProblem } from './cloud-init.ts';
import { partsAsCloudInitReads } from './mime.ts';
import { nodeadmOf, nodeadmProblem, nodeConfigCrd, nodeConfigJudge } from './nodeadm.ts';
import { type Boot, firstBootOn, scratchRoot } from './scratch-host.ts';

const NODE_CONFIG = 'application/node.eks.aws';
const CLOUD_CONFIG = 'text/cloud-config';
const DROP_IN = '/etc/systemd/system/nodeadm-run.service.d/90-slipway.conf';

/** The maximum size of user data in EC2. */
const LIMIT = 16_384;

const MARKS: JsonObject = {
  labels: { 'example.com/team': 'blue' },
  taints: [{ key: 'dedicated', value: 'blue', effect: 'NoSchedule' }],
};

async function userData(provisioning: JsonObject, config: JsonObject = {}): Promise<string> {
  const machine = anEksMachine('nodeadm', { ...MARKS, provisioning: { format: 'nodeadm', ...provisioning } }, config);
  return (await firstBoot(anEksCluster('nodeadm'), machine)).text;
}

let plain = '';
let everything = '';
beforeAll(async () => {
  plain = await userData({});
  everything = await userData(EVERY_NODEADM_PROVISIONING, EVERY_NODEADM);
});

/** The reason is printed even if the reporter does not show skipped tests. */
function judge<T extends object>(name: string, found: T | { readonly missing: string }): T | undefined {
  if (!('missing' in found)) return found;
  process.stdout.write(`skipped: ${name}: ${found.missing}\n`);
  return undefined;
}

const nodeadm = judge('nodeadm of EKS', nodeadmOf());
describe.skipIf(nodeadm === undefined)('nodeadm config check', () => {
  const problem = (text: string) => nodeadmProblem(nodeadm?.path ?? '', text);

  test('finds its part in everything a claim can say, and accepts it', () => {
    expect(problem(plain)).toBeUndefined();
    expect(problem(everything)).toBeUndefined();
  });

  test.for([
    ['without its part', (text: string) => text.replace(NODE_CONFIG, 'text/plain')],
    ['with an authority that is none', (text: string) => text.replace(/"certificateAuthority": "/, '$&!')],
    ['with a field of another type', (text: string) => text.replace('"name": "prod"', '"name": 7')],
  ] as const)('refuses user data %s, which proves that it reads it', ([, spoil]) => {
    expect(spoil(plain)).not.toBe(plain);
    expect(problem(spoil(plain))).toMatch(/./);
  });
});

/** Fields of NodeConfig that are newer than the available release: they are not validated here. */
const NEWER = [
  'spec.containerd.baseRuntimeSpec: unknown field',
  'spec.featureGates: unknown field',
  'spec.instance.environment: unknown field',
  'spec.instance.localStorage.disabledMounts: unknown field',
  'spec.instance.localStorage.mountPath: unknown field',
  'spec.instance.network: unknown field',
  'spec.kubelet.maxPodsExpression: unknown field',
];

const crd = judge('the schema of NodeConfig', nodeConfigCrd());
describe.skipIf(crd === undefined)('the schema of NodeConfig without unknown fields', () => {
  const problems = (text: string) => nodeConfigJudge(crd?.path ?? '')(JSON.parse(partOf(text, NODE_CONFIG)));

  test('knows every field of a plain node', () => {
    expect(problems(plain)).toEqual([]);
  });

  test('knows every field of everything a claim can say, except newer ones', () => {
    process.stdout.write(
      `not judged by the schema of NodeConfig: ${NEWER.join(', ').replaceAll(': unknown field', '')}\n`,
    );
    expect([...problems(everything)].toSorted()).toEqual(NEWER);
  });

  test('refuses a field it does not know', () => {
    expect(problems(plain.replace('"cidr"', '"clusterEndpoint"'))).toEqual([
      'spec.cluster.clusterEndpoint: unknown field',
    ]);
  });
});

describe.for(CLOUD_INIT_RELEASES)('cloud-init of Debian %s', (release) => {
  const found = judge(`cloud-init of Debian ${release}`, cloudInitOf(release));

  test.skipIf(found === undefined)('splits user data into its parts', () => {
    for (const text of [plain, everything]) expect(partsAsCloudInitReads(found!, text)).toEqual(partsOf(text));
  });

  test.skipIf(found === undefined)('accepts its own part', () => {
    for (const text of [plain, everything]) expect(commandProblem(found!, partOf(text, CLOUD_CONFIG))).toBeUndefined();
  });
});

test('user data fits into that of EC2, gzipped for everything a claim can say', () => {
  expect(Buffer.byteLength(plain)).toBeLessThan(LIMIT / 4);
  expect(gzipSync(everything, { level: 9 }).length).toBeLessThan(LIMIT / 2);
});

const root = scratchRoot();
if ('missing' in root) process.stdout.write(`skipped: running cloud-init: ${root.missing}\n`);

function run(text: string): Boot {
  return firstBootOn({
    root: 'path' in root ? root.path : '',
    text: (disk) => text.replaceAll('/dev/nvme1n1', disk),
    asked: [DROP_IN, ...filesOf(partOf(text, CLOUD_CONFIG)).map(({ path }) => path), sentinelOf(text)],
    secret: 'nothing is one',
  });
}

function sentinelOf(text: string): string {
  return /AssertPathExists=%s\\n' (\S+)/.exec(partOf(text, 'text/cloud-boothook'))?.[1] ?? '';
}

describe.skipIf('missing' in root)('user data run by cloud-init', () => {
  test('applies everything a claim can say before the sentinel, for which the kubelet waits', async () => {
    const text = await userData({
      ...EVERY_NODEADM_PROVISIONING,
      commands: { pre: ['step claimed pre'] },
    });
    const { status, output, files, calls } = run(text);
    expect(status, output).toBe('done');
    expect(files.get(DROP_IN)?.bytes.toString()).toBe(`[Unit]\nAssertPathExists=${sentinelOf(text)}\n`);
    expect(files.has(sentinelOf(text))).toBe(true);
    expect(calls[0], 'before anything else').toBe('systemctl daemon-reload');
    expect(calls.at(-1)).toBe('step claimed pre');
    expect(calls).toContain('systemctl try-restart chronyd.service');
    const written = filesOf(partOf(text, CLOUD_CONFIG)).filter(({ append, path }) => !append && path !== SCRIPT_PATH);
    for (const { path, bytes } of written) expect(files.get(path)?.bytes.equals(bytes), path).toBe(true);
  });

  test('creates no sentinel after a failure, so that the kubelet is not started', async () => {
    const text = await userData({ commands: { pre: ['step claimed pre; false'] } });
    const { status, output, files } = run(text);
    expect(status).toBe('error');
    expect(output).toContain('slipway: commands.pre[0] failed');
    expect([files.has(DROP_IN), files.has(sentinelOf(text))]).toEqual([true, false]);
  });
});
