/** Values of Secrets that a claim refers to: read for the first-boot data, and written nowhere else. */
import { describe, expect, test } from 'vitest';
import { Payload } from '#lib/api/contracts/payload.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { clusterLabels, CONTEXT } from '#lib/api/words.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster, aMachine } from '../../test/support/claims.ts';
import { fileOf, filesOf } from '../../test/support/first-boot.ts';
import { foundIn } from '../../test/secrets/findings.ts';
import { aRequest } from '../../test/support/request.ts';
import { aBottlerocketPlan, aNodeadmPlan, aPlan, replyTo } from './plan.fixture.ts';

const from = (key: string, name = 'app'): JsonObject => ({ secret: { name, key } });
const PROXY = 'http://fake-user:fake-proxy-password@proxy.example.com:3128';
const HASH = '$6$fakesalt$fakehash';
const BYTES = Buffer.from([0, 255, 10, 65]);

const VALUES: Readonly<Record<string, Buffer | string>> = {
  file: 'fake-file-secret\n',
  bytes: BYTES,
  unit: '[Service]\nEnvironment=A=fake-unit-secret\n',
  dropIn: '[Service]\nEnvironment=B=fake-drop-in-secret\n',
  pre: 'echo fake-pre-secret',
  post: 'echo fake-post-secret',
  hash: `${HASH}\n`,
  proxy: `${PROXY}\n`,
  empty: '',
  lines: 'two\nlines',
  credentials: 'fake-user:fake:password\n',
};

function aSecret(values = VALUES, fields: JsonObject = {}, labels: JsonObject = { 'slipway.dev/cluster': 'prod' }) {
  const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(value as string).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { name: 'app', namespace: 'team-a', labels },
    data: Object.fromEntries(data) as JsonObject,
    ...fields,
  } as KubeObject;
}

const EVERYTHING: JsonObject = {
  files: [
    { path: '/etc/app/secret', contentFrom: from('file'), mode: '0600' },
    { path: '/etc/app/bytes', contentFrom: from('bytes') },
    { path: '/etc/motd', content: 'hello\n' },
  ],
  units: [
    { name: 'app.service', contentsFrom: from('unit'), enabled: true },
    { name: 'containerd.service', dropIns: [{ name: '50-app.conf', contentsFrom: from('dropIn') }] },
  ],
  commands: { pre: ['first'], preFrom: [from('pre')], post: ['last'], postFrom: [from('post')] },
  users: [{ name: 'ops', passwordHashFrom: from('hash') }],
  proxy: { httpFrom: from('proxy'), https: 'http://proxy.example.com:3128' },
};

interface Parts {
  readonly provisioning?: JsonObject;
  readonly plan?: unknown;
  readonly secrets?: readonly KubeObject[];
  readonly status?: JsonObject;
}

async function render({ provisioning = EVERYTHING, plan = aPlan(), secrets = [aSecret()], status }: Parts = {}) {
  const composite = aMachine({ spec: { provisioning } });
  const context = { [CONTEXT.bootstrapPlan]: plan as JsonObject };
  const required = { cluster: [aCluster(status === undefined ? {} : { status })], 'secret-app': secrets };
  return replyTo(aRequest({ composite, context, required }));
}

const payload = ({ context }: ReplyData): Payload => Payload.parse(context[CONTEXT.payload]);
const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString();
const text = (reply: ReplyData): string => decoded(payload(reply).value);
const condition = ({ conditions }: ReplyData) => conditions.find(({ type }) => type === 'BootstrapConfigReady');

async function refused(parts: Parts): Promise<string> {
  const error = await render(parts).catch((thrown: unknown) => thrown);
  if (!(error instanceof SlipwayError)) throw new Error('it was not refused');
  return `${error.code}: ${error.message}`;
}

describe('values of Secrets', () => {
  test('are required by name in the namespace of the Machine', async () => {
    const reply = await replyTo(
      aRequest({
        composite: aMachine({ spec: { provisioning: EVERYTHING } }),
        context: { [CONTEXT.bootstrapPlan]: aPlan() },
        required: { cluster: [aCluster()] },
      }),
    );
    expect(reply.requirements.get('secret-app')).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      namespace: 'team-a',
      matchName: 'app',
    });
    expect(reply.context[CONTEXT.payload]).toBeUndefined();
  });

  test('are in the first-boot data, every byte of a file', async () => {
    const data = text(await render());
    expect(fileOf(data, '/etc/app/secret')).toBe('fake-file-secret\n');
    expect(filesOf(data).find(({ path }) => path === '/etc/app/bytes')?.bytes).toEqual(BYTES);
    expect(fileOf(data, '/etc/systemd/system/app.service')).toBe(VALUES['unit']);
    expect(fileOf(data, '/etc/systemd/system/containerd.service.d/50-app.conf')).toBe(VALUES['dropIn']);
    expect(fileOf(data, '/etc/apt/apt.conf.d/90-slipway-proxy')).toContain(`Acquire::http::Proxy "${PROXY}";`);
    expect(data).toContain(`hashed_passwd: "${HASH}"`);
  });

  test('of commands run after the commands beside them, and are reported by their position', async () => {
    const lines = fileOf(text(await render()), '/etc/slipway/bootstrap.sh').split('\n');
    expect(lines.filter((line) => /^(run|once) '(commands|kubeadm bootstrap)/.test(line))).toEqual([
      "run 'commands.pre[0]' first",
      "run 'commands.preFrom[0]' 'echo fake-pre-secret'",
      "once 'kubeadm bootstrap[0]' 'kubeadm join --config /etc/kubernetes/kubeadm.yaml'",
      "once 'commands.post[0]' last",
      "once 'commands.postFrom[0]' 'echo fake-post-secret'",
    ]);
  });

  test('are only in the sealed part of a format in two parts', async () => {
    const { apart } = payload(await render({ provisioning: { ...EVERYTHING, format: 'ignition' } }));
    const secrets = [...['file', 'unit', 'drop-in', 'pre', 'post'].map((word) => `fake-${word}-secret`), HASH];
    const searched = [...secrets, 'fake-proxy-password'];
    expect(foundIn(decoded(apart?.sealed ?? ''), searched)).toEqual(searched);
    expect(foundIn(decoded(apart?.open ?? ''), searched)).toEqual([]);
    expect(foundIn(decoded(apart?.open ?? ''), ['hello']), 'values of the claim stay open').toEqual(['hello']);
  });

  test('are requested by no machine that refers to none', async () => {
    const reply = await render({ provisioning: { files: [{ path: '/etc/motd', content: 'hello\n' }] } });
    expect([...reply.requirements.keys()]).toEqual([]);
  });
});

describe('credentials of mirrors', () => {
  const registry = (host: string, key = 'credentials'): JsonObject => ({
    host,
    mirrors: ['https://mirror.example.com/v2'],
    credentialsFrom: from(key),
  });

  test('are settings of Bottlerocket', async () => {
    const provisioning = { format: 'bottlerocket', registries: [registry('docker.io'), registry('quay.io')] };
    const data = text(await render({ provisioning, plan: aBottlerocketPlan() }));
    expect(data).toContain('username = "fake-user"');
    expect(data).toContain('password = "fake:password"');
    expect(data.match(/password/g), 'once for a mirror of two registries').toHaveLength(2);
  });

  test('are refused if a mirror would get two', async () => {
    const provisioning = { format: 'bottlerocket', registries: [registry('docker.io'), registry('quay.io', 'other')] };
    const secrets = [aSecret({ ...VALUES, other: 'fake-user:other' })];
    expect(await refused({ provisioning, plan: aBottlerocketPlan(), secrets })).toContain(
      'spec.provisioning.registries[1].credentialsFrom: mirror "mirror.example.com" has other credentials in another entry; accepted: one user for each mirror',
    );
  });
});

describe('a machine waits', () => {
  test.for([
    { name: 'a missing Secret', secrets: [], want: 'waiting for Secret "team-a/app"' },
    {
      name: 'missing keys',
      secrets: [aSecret({ ...VALUES, file: '' }, { data: {} })],
      want: 'waiting for key file of Secret "team-a/app"; key bytes of Secret "team-a/app"; key hash of Secret "team-a/app"; and 5 more',
    },
  ])('for $name, and says so', async ({ secrets, want }) => {
    const reply = await render({ secrets });
    expect(condition(reply)).toEqual({
      type: 'BootstrapConfigReady',
      status: 'False',
      reason: 'WaitingForSecret',
      message: want,
    });
    expect(reply.context[CONTEXT.payload]).toBeUndefined();
    expect(reply.compositeReady).toBe('False');
  });
});

describe('a Secret is refused', () => {
  const owners = [{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine', name: 'a', uid: 'u' }];
  const records = {
    ...(aCluster().status as JsonObject),
    certificates: { caCertHash: 'sha256:00', secrets: { ca: { name: 'app', origin: 'Supplied' } } },
  };
  const OWN = 'it belongs to the cluster itself, and a claim cannot copy it';

  test.for<{ name: string; want: string } & Parts>([
    {
      name: 'without a label',
      secrets: [aSecret(VALUES, {}, {})],
      want: 'no label allows Cluster "prod" to use it; if it may: kubectl label secret app --namespace team-a slipway.dev/cluster=prod',
    },
    {
      name: 'of another cluster',
      secrets: [aSecret(VALUES, {}, clusterLabels('other'))],
      want: 'its label slipway.dev/cluster says that it belongs to Cluster "other"',
    },
    { name: 'with keys of the cluster', secrets: [aSecret(VALUES, { type: 'cluster.x-k8s.io/secret' })], want: OWN },
    { name: 'that the Cluster records', secrets: [aSecret()], status: records, want: OWN },
    {
      name: 'of a Machine, restored without its owner',
      secrets: [aSecret(VALUES, {}, { ...clusterLabels('prod'), 'slipway.dev/role': 'worker' })],
      want: OWN,
    },
    {
      name: 'that a Machine composed',
      secrets: [{ ...aSecret(), metadata: { ...aSecret().metadata, ownerReferences: owners } }],
      want: OWN,
    },
  ])('$name', async ({ want, ...parts }) => {
    expect(await refused(parts)).toBe(`UnreadableSecret: cannot use Secret "team-a/app": ${want}`);
  });

  test.for([
    {
      field: 'proxy.httpFrom',
      key: 'hash',
      provisioning: { proxy: { httpFrom: from('hash') } },
      want: 'an http or https URL',
    },
    {
      field: 'users[0].passwordHashFrom',
      key: 'lines',
      provisioning: { users: [{ name: 'ops', passwordHashFrom: from('lines') }] },
      want: 'a crypt(3) hash',
    },
    {
      field: 'commands.preFrom[0]',
      key: 'empty',
      provisioning: { commands: { preFrom: [from('empty')] } },
      want: 'filled in',
    },
    {
      field: 'units[0].contentsFrom',
      key: 'bytes',
      provisioning: { units: [{ name: 'a.service', contentsFrom: from('bytes') }] },
      want: 'text in UTF-8',
    },
  ])('if its value is not accepted for $field, without the value', async ({ field, key, provisioning, want }) => {
    expect(await refused({ provisioning })).toBe(
      `UnreadableSecret: cannot use key ${key} of Secret "team-a/app" for spec.provisioning.${field}: it is not ${want}`,
    );
  });

  test('if a format would log it, with the field of the claim', async () => {
    const provisioning = { format: 'nodeadm', proxy: { httpFrom: from('proxy') } };
    expect(await refused({ provisioning, plan: aNodeadmPlan() })).toContain(
      'spec.provisioning.proxy.httpFrom: nodeadm cannot express a password',
    );
  });
});

test.for<{ name: string; provisioning: JsonObject; want: string }>([
  {
    name: 'both content and contentFrom',
    provisioning: { files: [{ path: '/etc/a', content: '', contentFrom: from('file') }] },
    want: 'spec.provisioning.files[0]: must have content or contentFrom, and not both',
  },
  {
    name: 'neither',
    provisioning: { files: [{ path: '/etc/a' }] },
    want: 'spec.provisioning.files[0]: must have content or contentFrom, and not both',
  },
  {
    name: 'an encoding for bytes of a Secret',
    provisioning: { files: [{ path: '/etc/a', contentFrom: from('file'), encoding: 'base64' }] },
    want: 'spec.provisioning.files[0].encoding: "base64" must be plain with contentFrom, which is taken byte by byte',
  },
  {
    name: 'a password for a mirror without TLS',
    provisioning: { registries: [{ host: 'a.io', mirrors: ['http://m'], credentialsFrom: from('credentials') }] },
    want: 'spec.provisioning.registries[0].mirrors: must be https URLs with credentialsFrom, because a password is sent to them',
  },
  {
    name: 'two proxies',
    provisioning: { proxy: { http: 'http://a', httpFrom: from('proxy') } },
    want: 'spec.provisioning.proxy: must not have both http and httpFrom',
  },
])('a claim with $name is refused', async ({ provisioning, want }) => {
  expect(await refused({ provisioning })).toContain(want);
});
