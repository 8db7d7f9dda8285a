/**
 * What stands behind a ProviderConfig belongs to somebody else. Whatever it is, the WorkloadNode says in one line what is
 * wrong, nothing else in the management cluster is touched, and no token is shown.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { newIssuer } from '../../support/authority.ts';
import { PODS } from '#lib/kube/port-forward.ts';
import { REQUESTS } from '../../../controllers/node/certificates/request.ts';
import { DAEMON_SETS, NODES as NODE_KIND, SECRETS, VOLUME_ATTACHMENTS } from '../../../controllers/node/kinds.ts';
import { LiveApi } from '../../support/live-api.ts';
import { merged, nodeObject, workloadNode } from '../scene.ts';
import { type Answering, json, nodes, serve, status, text } from './server.ts';
import { authority, HostileStage, kubeconfigTo, type Setting, TOKEN } from './stage.ts';

const SERVER = 'https://api.example.com:6443';
const MIB = 1024 * 1024;

type Rows = readonly (readonly [what: string, setting: () => Setting | Promise<Setting>])[];

const withUser = (user: JsonObject) => async () => ({ kubeconfig: await kubeconfigTo(SERVER, {}, user), local: false });
const withCluster = (cluster: JsonObject) => async () => ({
  kubeconfig: await kubeconfigTo(SERVER, cluster),
  local: false,
});
const at = (server: string) => async () => ({ kubeconfig: await kubeconfigTo(server), local: false });
const holding = (kubeconfig: string) => () => ({ kubeconfig, local: false });

/** Nothing is connected to. */
const KUBECONFIGS: Rows = [
  ['an exec plug-in', withUser({ exec: { command: 'sh', args: ['-c', 'id'] } })],
  ['an auth provider', withUser({ 'auth-provider': { name: 'gcp' } })],
  ['a token in a file of the reader', withUser({ tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' })],
  [
    'a certificate in a file of the reader',
    withUser({ 'client-certificate': '/etc/passwd', 'client-key': '/etc/shadow' }),
  ],
  ['a password', withUser({ username: 'admin', password: TOKEN })],
  ['impersonation', withUser({ as: 'system:admin' })],
  ['no credentials', withUser({ token: undefined })],
  ['a key of another certificate', withUser({ 'client-certificate-data': 'QUFB', 'client-key-data': 'QUFB' })],
  ['a server that is not verified', withCluster({ 'insecure-skip-tls-verify': true })],
  ['a proxy', withCluster({ 'proxy-url': 'http://10.0.0.1:3128' })],
  ['an authority in a file of the reader', withCluster({ 'certificate-authority': '/etc/ssl/ca.crt' })],
  ['a loopback address', at('https://127.0.0.1:6443')],
  ['a loopback address inside IPv6', at('https://[::ffff:127.0.0.1]:6443')],
  ['a loopback name', at('https://localhost:6443')],
  ['a number that is a loopback address', at('https://2130706433:6443')],
  ['the metadata service of a cloud', at('https://169.254.169.254')],
  ['a server without TLS', at('http://api.example.com')],
  ['credentials in the URL', at(`https://admin:${TOKEN}@api.example.com`)],
  ['no URL', at('::::')],
  ['no YAML', holding('{{{')],
  ['another document', holding('kind: Secret')],
  ['aliases that multiply', holding('a: &a [x, x]\nb: &b [*a, *a]\nclusters: [*b, *b]')],
  ['a context that names no cluster', holding('current-context: b\ncontexts: []\nclusters: []')],
  ['no Secret', () => ({ local: false })],
  [
    'a Secret without the key',
    () => ({ kubeconfig: '', secret: { data: { value: null, other: 'QQ==' } }, local: false }),
  ],
  ['a key that is not base64', () => ({ kubeconfig: '', secret: { data: { value: '***' } }, local: false })],
  [
    'no ProviderConfig of that name',
    () => ({ kubeconfig: '', spec: { providerConfigRef: { name: 'other' } }, local: false }),
  ],
];

test.for(KUBECONFIGS.map(([what, setting]) => ({ what, setting })))(
  'a kubeconfig with $what is not followed',
  async ({ what, setting }) => {
    const stage = await begin(await setting());
    await stage.until('a report', () => stage.said('Synced') !== undefined);
    expect(stage.said('Synced')).toMatch(/^Synced False ReconcileError: /);
    await shows(stage, 'kubeconfig', what, [stage.said('Synced')]);
  },
);

test('a kubeconfig that leads to the management cluster is not followed, whoever its user is', async () => {
  const stage = await begin({ local: true });
  stage.bring(await kubeconfigTo(stage.management.server));
  await stage.until('a report', () => stage.said('Synced')?.includes('its server') === true);
  const { host } = new URL(stage.management.server);
  await shows(stage, 'kubeconfig', 'the management cluster itself', [
    stage.said('Synced')?.replaceAll(host, '10.96.0.1:443'),
  ]);
  expect(stage.management.used).not.toContain('list /nodes ');
});

const endless: Answering = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const block = Buffer.alloc(MIB, 0x20);
  const more = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

/** Answers that never end. */
const HANGING = new Set(['slow bytes', 'no answer']);

const SERVERS: readonly (readonly [string, Answering])[] = [
  ['a page of HTML', text(200, '<html>Sign in</html>', { 'content-type': 'text/html' })],
  ['garbage', text(200, '{"kind":"NodeList","items":[')],
  ['a list', json([])],
  ['a list of another kind', json({ kind: 'SecretList', metadata: {}, items: [{ kind: 'Secret' }] })],
  ['items that are no objects', json({ kind: 'NodeList', metadata: { resourceVersion: '1' }, items: [1, null, 'x'] })],
  ['items that are no list', json({ kind: 'NodeList', metadata: { resourceVersion: '1' }, items: { a: 1 } })],
  ['a redirect', text(302, '', { location: 'https://169.254.169.254/latest/meta-data' })],
  ['an answer without an end', endless],
  ['slow bytes', (_request, response) => void response.writeHead(200).write('{')],
  ['no answer', () => undefined],
  ['a closed connection', (request) => request.socket.destroy()],
  ['401', status(401, 'Unauthorized', 'Unauthorized')],
  ['403', status(403, 'Forbidden', 'nodes is forbidden: User "a" cannot list resource "nodes"')],
  ['500', status(500, 'InternalError', `leader lost\n${'x'.repeat(100_000)}`)],
  ['a refusal that repeats the token', status(403, 'Forbidden', `token ${TOKEN} is not allowed`)],
];

test.for(SERVERS.map(([what, answering]) => ({ what, answering })))(
  'a server that answers with $what is reported, and asked again later',
  async ({ what, answering }) => {
    const server = await serve(await (await authority()).issue('api', { ip: ['127.0.0.1'] }), answering);
    onTestFinished(() => server.close());
    const stage = await begin({ kubeconfig: await kubeconfigTo(server.url), local: true });
    await stage.meanwhile('an answer', () => (HANGING.has(what) ? server.asked.length : server.answered) > 0);
    await stage.until('a report', () => stage.said('Synced') !== undefined);
    expect(stage.said('Synced')).toMatch(/^Synced False ReconcileError: /);
    const before = server.asked.length;
    await stage.until('it is asked again', () => server.asked.length > before);
    await shows(stage, 'server', what, [stage.said('Synced')?.replaceAll(server.url, SERVER)]);
  },
);

test('a server with a certificate of another authority is not talked to', async () => {
  const other = await newIssuer('kubernetes', 'ECDSA');
  const server = await serve(await other.issue('api', { ip: ['127.0.0.1'] }), nodes());
  onTestFinished(() => server.close());
  const stage = await begin({ kubeconfig: await kubeconfigTo(server.url), local: true });
  await stage.meanwhile('the connection is given up', () => server.answered > 0);
  await stage.until('a report', () => stage.said('Synced') !== undefined);
  expect(server.asked).toEqual([]);
  await shows(stage, 'server', 'a certificate of another authority', [
    stage.said('Synced')?.replaceAll(server.url, SERVER),
  ]);
});

const strange = (name: string, over: JsonObject): JsonObject => ({
  ...nodeObject({}),
  ...over,
  metadata: { name, uid: name },
});

/** What provider-node reads of a workload cluster. */
const WORKLOAD = [NODE_KIND, PODS, SECRETS, DAEMON_SETS, REQUESTS, VOLUME_ATTACHMENTS];

const NODES: readonly (readonly [string, readonly JsonObject[]])[] = [
  ['a Node without a status', [strange('general-0', { status: {} })]],
  ['conditions that are no list', [strange('general-0', { status: { conditions: 'Ready' } })]],
  [
    'a thousand conditions and addresses',
    [
      strange('general-0', {
        status: {
          conditions: Array.from({ length: 1000 }, (_, at) => ({ type: `T${at}`, status: 'True' })),
          addresses: Array.from({ length: 1000 }, (_, at) => ({
            type: 'InternalIP',
            address: `10.0.${at >> 8}.${at & 255}`,
          })),
        },
      }),
    ],
  ],
  [
    'a megabyte in a label',
    [{ ...strange('general-0', {}), metadata: { name: 'general-0', uid: 'u', labels: { a: 'x'.repeat(MIB) } } }],
  ],
  [
    'words with line breaks',
    [strange('general-0', { status: { nodeInfo: { kubeletVersion: 'v1\nReady: True' }, conditions: [] } })],
  ],
  [
    'names of prototypes',
    [strange('general-0', { status: { conditions: [{ type: '__proto__', status: 'constructor' }] } })],
  ],
];

test.for(NODES.map(([what, items]) => ({ what, items })))(
  'a cluster with $what is reported',
  async ({ what, items }) => {
    const workload = await clusterOf(items);
    const stage = await begin({ kubeconfig: await kubeconfigTo(workload.server), workload, local: true });
    await stage.until('a report', () => stage.said('Ready') !== undefined);
    expect(JSON.stringify(stage.object()?.status).length).toBeLessThan(16_000);
    await shows(
      stage,
      'node',
      what,
      ['Synced', 'Ready'].map((type) => stage.said(type)),
    );
  },
);

test('an event of ten megabytes is not taken in: the watch ends, and a list brings the Node', async () => {
  const workload = await clusterOf([nodeObject({}), strange('other', {})]);
  const stage = await begin({ kubeconfig: await kubeconfigTo(workload.server), workload, local: true });
  await stage.until('it is found', () => stage.said('Ready') === 'Ready True Available');
  workload.used.clear();
  const annotations = { a: 'x'.repeat(10 * MIB) };
  const addresses = [{ type: 'InternalIP', address: '10.0.0.8' }];
  workload.put(merged(workload.find('Node', 'general-0')!, { metadata: { annotations }, status: { addresses } }));
  // More than etcd takes of one object: no list would bring it.
  workload.put(merged(workload.find('Node', 'general-0')!, { metadata: { annotations: null } }));
  await stage.until('its new address', () => JSON.stringify(stage.object()?.status).includes('10.0.0.8'));
  expect([...workload.used]).toContain('list /nodes ');
  await shows(stage, 'node', 'an event of ten megabytes', [stage.said('Synced')!, stage.said('Ready')!]);
});

test('a second WorkloadNode for a Node says which one manages it, and its deletion leaves the Node alone', async () => {
  const workload = await clusterOf([nodeObject({})]);
  const stage = await begin({ kubeconfig: await kubeconfigTo(workload.server), workload, local: true });
  await stage.until('the first manages it', () => stage.said('Ready') === 'Ready True Available');
  const second = workloadNode({ labels: { a: 'b' } });
  stage.management.put({ ...second, metadata: { ...second.metadata, name: 'second' } });
  await stage.until('the second says so', () => stage.said('Synced', 'second') !== undefined);
  const said = stage.said('Synced', 'second');
  expect(said).toBe(
    'Synced False ReconcileError: cannot manage Node "general-0": WorkloadNode "team-a/general-0" does',
  );
  stage.delete('second');
  await stage.until('it is gone', () => stage.object('second') === undefined);
  expect(workload.find('Node', 'general-0')).toMatchObject({ metadata: { name: 'general-0' } });
  expect(workload.find('Node', 'general-0')?.spec?.['unschedulable']).toBeUndefined();
  expect(workload.find('Node', 'general-0')?.metadata?.labels?.['a']).toBeUndefined();
  await shows(stage, 'node', 'two WorkloadNodes', [said]);
});

test('a Node of that name with another uid is not the one that was found: it is neither drained nor deleted', async () => {
  const workload = await clusterOf([nodeObject({})]);
  const stage = await begin({ kubeconfig: await kubeconfigTo(workload.server), workload, local: true });
  await stage.until('it is found', () => stage.said('Ready') === 'Ready True Available');
  workload.delete('Node', 'general-0');
  workload.put(merged(nodeObject({}), { metadata: { uid: 'another' } }));
  stage.delete();
  await stage.until('the object is gone', () => stage.object() === undefined);
  expect(workload.find('Node', 'general-0')).toMatchObject({ metadata: { uid: 'another' } });
  expect(workload.find('Node', 'general-0')?.spec?.['unschedulable']).toBeUndefined();
  table.set('node: another uid', 'the object is let go, the Node stays');
});

test('a Secret that vanishes in the middle of a drain stops it, and the drain goes on once it is back', async () => {
  const workload = await clusterOf([nodeObject({}), podOn('general-0')]);
  let isBlocked = true;
  let evictions = 0;
  workload.evicting = (namespace, name) => {
    if (isBlocked) return BLOCKED;
    evictions += 1;
    workload.delete('Pod', name, namespace);
    return undefined;
  };
  const kubeconfig = await kubeconfigTo(workload.server);
  const stage = await begin({ kubeconfig, workload, local: true });
  await stage.until('it is found', () => stage.said('Ready') === 'Ready True Available');
  stage.delete();
  await stage.until('it is drained', () => stage.said('Drained')?.includes('BlockedByBudget') === true);
  stage.bring(undefined);
  await stage.until('that is noticed', () => stage.said('Drained')?.includes('Unreachable') === true);
  await shows(stage, 'secret', 'vanishes in the middle of a drain', [stage.said('Synced'), stage.said('Drained')]);
  isBlocked = false;
  stage.bring(kubeconfig);
  await stage.until('it is gone', () => stage.object() === undefined);
  expect(evictions, 'it is not cut off').toBe(1);
  expect(workload.find('Node', 'general-0')).toBeUndefined();
});

const BLOCKED = {
  status: 429,
  body: {
    kind: 'Status',
    status: 'Failure',
    code: 429,
    reason: 'TooManyRequests',
    message: 'Cannot evict pod as it would violate the disruption budget.',
    details: { causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods' }] },
  },
};

function podOn(nodeName: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' }, spec: { nodeName } };
}

async function clusterOf(items: readonly JsonObject[]): Promise<LiveApi> {
  const pair = await (await authority()).issue('api', { ip: ['127.0.0.1'] });
  const workload = await LiveApi.with(pair, ...WORKLOAD);
  onTestFinished(() => workload.close());
  for (const item of items) workload.put(item as KubeObject);
  return workload;
}

async function begin(setting: Setting): Promise<HostileStage> {
  const stage = await HostileStage.begin(setting);
  onTestFinished(() => stage.end());
  return stage;
}

/** Which limit ends an answer without an end depends on how fast this machine is. */
const IN_TIME = /no answer within \d+ s|no connection in time|the answer is larger than \d+ MiB/;

const table = new Map<string, string>();

/** Remembers what was said for the table, and holds what is true of every case. */
async function shows(
  stage: HostileStage,
  kind: string,
  what: string,
  said: readonly (string | undefined)[],
): Promise<void> {
  expect(stage.shown).not.toContain(TOKEN);
  for (const line of said) {
    expect(line).toBeDefined();
    expect(line).not.toContain('\n');
    expect(line!.length).toBeLessThan(1100);
  }
  table.set(`${kind}: ${what}`, said.map((line) => line?.replace(IN_TIME, 'no answer within N s')).join('\n  '));
  return Promise.resolve();
}

test('what each of them says can be read', async () => {
  expect(table.size).toBe(KUBECONFIGS.length + SERVERS.length + NODES.length + 6);
  const rows = [...table].map(([what, said]) => `${what}\n  ${said}\n`);
  await expect(rows.join('\n')).toMatchFileSnapshot('golden/said.txt');
});
