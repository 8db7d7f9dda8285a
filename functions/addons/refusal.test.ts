/** What a person sees of a wrong add-on: one line, of the API server, of the function, or in AddonsReady. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messageOf } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { addOnsReady, applied, call, CHART, keys, MANIFESTS, NETWORK } from './addons.fixture.ts';

const chart = (fields: JsonObject): JsonObject => ({
  ...CHART,
  chart: { ...(CHART['chart'] as JsonObject), ...fields },
});
const objects = (...list: JsonObject[]): JsonObject => ({ name: 'quota', manifests: { objects: list } });
const fromConfigMap: JsonObject = { name: 'quota', manifests: { configMap: { name: 'quota', key: 'all.yaml' } } };
const configMap = (data: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'quota', namespace: 'team-a' },
  data,
});
const secret = (labels: Record<string, string>, type = 'Opaque'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tokens', namespace: 'team-a', labels },
  type,
  data: { key: 'YQ==' },
});
const fromSecret = chart({ valuesFrom: [{ secret: { name: 'tokens', key: 'key' } }] });
const aNamespace = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const namespace = aNamespace('apps');

/** Each list contains the one before it ten times. */
const LAUGHS = Array.from({ length: 9 }, (_, index) =>
  index === 0 ? 'a0: &a0 [ha]' : `a${index}: &a${index} [${Array.from({ length: 10 }, () => `*a${index - 1}`).join()}]`,
).join('\n');

const withValues = (values: JsonObject) => ({
  addons: [],
  input: { defaults: [{ ...NETWORK, chart: { ...(NETWORK['chart'] as JsonObject), values } }] },
  status: { addons: { defaults: 'Installed' } },
});

const failing = (...conditions: JsonObject[]) => ({
  conditions: conditions.map((one) => ({ status: 'False', reason: 'ReconcileError', ...one })),
});

const CASES: Readonly<Record<string, Parameters<typeof call>[0]>> = {
  'a name twice': { addons: [CHART, CHART] },
  'neither a chart nor manifests': { addons: [{ name: 'empty' }] },
  'a chart and manifests': { addons: [{ ...CHART, ...MANIFESTS }] },
  'values that are no object': { addons: [chart({ values: 'replicas: 2' })] },
  'a range of versions': { addons: [chart({ version: '^4.1' })] },
  'a version that is none': { addons: [chart({ version: 'latest' })] },
  'no version': {
    addons: [{ name: 'ingress', chart: { repository: 'https://charts.example.com', name: 'ingress' } }],
  },
  'a repository that is no URL': { addons: [chart({ repository: 'charts.example.com/stable' })] },
  'a repository without encryption': { addons: [chart({ repository: 'http://charts.example.com' })] },
  'a repository with a password': { addons: [chart({ repository: 'https://me:hush@charts.example.com' })] },
  'a repository outside the limits': { input: { limits: { repositories: ['oci://registry.example.com/'] } } },
  'a repository in the metadata service of the platform': {
    addons: [chart({ repository: 'https://169.254.169.254/latest/meta-data' })],
  },
  'a repository in the cluster of the platform': {
    addons: [chart({ repository: 'oci://registry.tools.svc:5000/charts' })],
    input: { limits: { repositories: ['*'] } },
  },
  'a repository that leads up again': {
    addons: [chart({ repository: 'https://charts.example.com/stable/../other' })],
    input: { limits: { repositories: ['https://charts.example.com/stable'] } },
  },
  'a repository that only begins like one': {
    addons: [chart({ repository: 'https://charts.example.com.evil.org' })],
    input: { limits: { repositories: ['https://charts.example.com'] } },
  },
  'a name that is none': { addons: [{ ...CHART, name: 'Ingress_1' }] },
  'a namespace that is none': { addons: [{ ...CHART, namespace: 'Web' }] },
  'a stage that is none': { addons: [{ ...CHART, when: 'Later' }] },
  'a policy that is none': { addons: [{ ...CHART, policy: 'Orphan' }] },
  'a wait that is none': { addons: [{ ...CHART, wait: '5m' }] },
  'an unknown field': { addons: [{ ...CHART, enabled: false }] },
  'too many': { addons: Array.from({ length: 33 }, (_, index) => ({ ...CHART, name: `ingress-${index}` })) },
  'values from nowhere': { addons: [chart({ valuesFrom: [{}] })] },
  'values from two places': {
    addons: [chart({ valuesFrom: [{ secret: { name: 'a', key: 'b' }, configMap: { name: 'a', key: 'b' } }] })],
  },
  'manifests from a URL': { addons: [{ name: 'quota', manifests: { url: 'https://example.com/all.yaml' } }] },
  'manifests that are a URL': { addons: [{ name: 'quota', manifests: 'https://example.com/all.yaml' }] },
  'a ConfigMap that is a URL': {
    addons: [{ name: 'quota', manifests: { configMap: { name: 'https://example.com/all.yaml', key: 'a' } } }],
  },
  'objects and a ConfigMap': {
    addons: [{ name: 'quota', manifests: { objects: [namespace], configMap: { name: 'quota', key: 'a' } } }],
  },
  'no objects': { addons: [objects()] },
  'too many objects': { addons: [objects(...Array.from({ length: 65 }, (_, index) => aNamespace(`a${index}`)))] },
  'manifests of a URL': { addons: [{ name: 'quota', manifests: { objects: ['https://example.com/all.yaml'] } }] },
  'a manifest without a name': { addons: [objects({ apiVersion: 'v1', kind: 'Namespace' })] },
  'a manifest without a kind': { addons: [objects({ apiVersion: 'v1', metadata: { name: 'apps' } })] },
  'a manifest twice': { addons: [objects(namespace, namespace)] },
  'a namespace beside manifests': { addons: [{ ...MANIFESTS, namespace: 'apps' }] },
  'a placeholder that is no field': withValues({ a: '$(spec.bootstrap.config)' }),
  'an object in a text': withValues({ a: 'on $(bootstrap.controlPlaneNodes)' }),
  'a minor twice in the table': {
    input: { defaults: [{ ...NETWORK, versions: [{ kubernetes: ['1.35', '1.35'], version: '1.0.0' }] }] },
  },
  'an object in two add-ons': { addons: [objects(namespace), { ...objects(namespace), name: 'again' }] },
  'a default without a version for the minor': {
    addons: [],
    input: { defaults: [NETWORK] },
    version: 'v1.40.0',
    status: { addons: { defaults: 'Installed' } },
  },
  'values of a default that are no object': {
    input: { defaults: [{ ...NETWORK, versions: [{ kubernetes: ['1.35'], version: '1.0.0', values: 'newer' }] }] },
  },
  'a default that waits for a field of the Cluster': withValues({ id: '$(status.infrastructure.id)' }),
  'a default that is not there': { addons: [{ name: 'mesh', default: 'Install' }] },
  'a Secret that is missing': { addons: [fromSecret], required: { 'addon-secret-tokens': [] } },
  'a Secret that no label allows': { addons: [fromSecret], required: { 'addon-secret-tokens': [secret({})] } },
  'a Secret of another cluster': {
    addons: [fromSecret],
    required: { 'addon-secret-tokens': [secret({ 'slipway.dev/cluster': 'test' })] },
  },
  'a Secret of the cluster itself': {
    addons: [fromSecret],
    required: { 'addon-secret-tokens': [secret({ 'slipway.dev/cluster': 'prod' }, 'cluster.x-k8s.io/secret')] },
  },
  'a key of a Secret that is missing': {
    addons: [chart({ valuesFrom: [{ secret: { name: 'tokens', key: 'other' } }] })],
    required: { 'addon-secret-tokens': [secret({ 'slipway.dev/cluster': 'prod' })] },
  },
  'a ConfigMap of values that is missing': {
    addons: [chart({ valuesFrom: [{ configMap: { name: 'values', key: 'a' } }] })],
    required: { 'addon-configmap-values': [] },
  },
  'a ConfigMap that is missing': { addons: [fromConfigMap], required: { 'addon-configmap-quota': [] } },
  'a key that is missing': { addons: [fromConfigMap], required: { 'addon-configmap-quota': [configMap({})] } },
  'a ConfigMap that is not YAML': {
    addons: [fromConfigMap],
    required: { 'addon-configmap-quota': [configMap({ 'all.yaml': 'a: [' })] },
  },
  'a ConfigMap without an object': {
    addons: [fromConfigMap],
    required: { 'addon-configmap-quota': [configMap({ 'all.yaml': '# none' })] },
  },
  'a ConfigMap with something else': {
    addons: [fromConfigMap],
    required: { 'addon-configmap-quota': [configMap({ 'all.yaml': 'just text' })] },
  },
  'a ConfigMap with an object without a name': {
    addons: [fromConfigMap],
    required: {
      'addon-configmap-quota': [
        configMap({
          'all.yaml': '{apiVersion: v1, kind: Namespace, metadata: {name: a}}\n---\nkind: List\napiVersion: v1',
        }),
      ],
    },
  },
  'a ConfigMap with too many objects': {
    addons: [fromConfigMap],
    required: {
      'addon-configmap-quota': [
        configMap({ 'all.yaml': Array.from({ length: 257 }, () => 'kind: Namespace').join('\n---\n') }),
      ],
    },
  },
  'a ConfigMap with more aliases than a parser should follow': {
    addons: [fromConfigMap],
    required: { 'addon-configmap-quota': [configMap({ 'all.yaml': LAUGHS })] },
  },
};

/** Of Helm: several lines, and the last words say what went wrong. */
const LONG = `create failed: failed to install release: 3 errors occurred:\n\t* ${'Deployment.apps "ingress" is invalid: spec.template.spec.containers[0].image: Required value\n\t* '.repeat(9)}timed out waiting for the condition`;

const RELEASES: Readonly<Record<string, JsonObject>> = {
  'a chart that does not exist': failing({
    type: 'Synced',
    message:
      'create failed: failed to pull chart: chart "ingress" version "4.1.0" not found in https://charts.example.com repository',
  }),
  'an add-on that never becomes ready': failing({
    type: 'Ready',
    reason: 'Unavailable',
    message: 'release failed: timed out waiting for the condition',
  }),
  'an add-on that failed with many lines': failing({ type: 'Synced', message: LONG }),
  'a Kubernetes API that answers like another service': failing({
    type: 'Synced',
    message:
      'observe failed: cannot get release: an error on the server ("{\\"AccessKeyId\\":\\"fake\\"}") has prevented the request from succeeding (get secrets)',
  }),
  'a release that failed, where no condition says why': {
    ...failing({ type: 'Ready', reason: 'Unavailable' }),
    atProvider: {
      state: 'failed',
      releaseDescription: 'Release "ingress" failed: context deadline exceeded',
    },
  },
};

test('every wrong input is one line on the claim, and nothing that exists goes', async () => {
  const lines: string[] = [];
  const statuses = new Set<string | undefined>();
  for (const [name, parts] of Object.entries(CASES)) {
    const reply = await call(parts).catch((thrown: unknown) => messageOf(thrown));
    lines.push(
      `${name}\n  ${typeof reply === 'string' ? reply : `AddonsReady ${addOnsReady(reply)?.reason}: ${addOnsReady(reply)?.message}`}`,
    );
    statuses.add(typeof reply === 'string' ? 'False' : addOnsReady(reply)?.status);
  }
  for (const [name, status] of Object.entries(RELEASES)) {
    const made = applied(await call());
    const reply = await call({ observed: { ...made, 'addon-ingress': { ...made['addon-ingress']!, status } } });
    lines.push(`${name}\n  AddonsReady ${addOnsReady(reply)?.reason}: ${addOnsReady(reply)?.message}`);
    expect(addOnsReady(reply), name).toMatchObject({ status: 'False', reason: 'NotReady' });
  }
  expect([...statuses]).toEqual(['False']);
  expect(lines.every((line) => line.split('\n').length === 2)).toBe(true);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
});

test('a manifest that its cluster refuses is one line, with the object that it is about', async () => {
  const made = applied(await call({ addons: [MANIFESTS] }));
  const key = Object.keys(made).find((one) => one.startsWith('addon-quota.deployment.'));
  const status = failing({
    type: 'Synced',
    message: 'create failed: cannot create object: the server could not find the requested resource\n',
  });
  const reply = await call({ addons: [MANIFESTS], observed: { ...made, [key!]: { ...made[key!]!, status } } });
  expect(addOnsReady(reply)?.message).toBe(
    'quota: Deployment web: create failed: cannot create object: the server could not find the requested resource',
  );
});

test('a default that a claim leaves out and that is not there is a word, and no problem', async () => {
  const reply = await call({ addons: [{ name: 'mesh', default: 'Skip' }] });
  expect(addOnsReady(reply)).toMatchObject({ status: 'True', message: 'mesh is not there to be skipped' });
});

test.for(['Skip', 'Install'])(
  'a default that the platform does not have is refused of a new Cluster: %s',
  async (choice) => {
    const given = {
      addons: [{ name: 'calico', default: choice }],
      input: { defaults: [NETWORK] },
      stage: 'None',
    } as const;
    await expect(call(given)).rejects.toThrow(
      'cannot accept Cluster "team-a/prod": spec.addons[0].name: "calico" is no default of this platform; accepted: network',
    );
  },
);

test('a Cluster that exists is not refused for a default that its platform no longer has', async () => {
  const observed = applied(await call());
  const reply = await call({
    addons: [CHART, { name: 'calico', default: 'Skip' }],
    input: { defaults: [NETWORK] },
    observed,
  });
  expect(keys(reply)).toEqual(expect.arrayContaining(['addon-ingress']));
});

test('of several, what somebody has to mend is named first, and the others are counted', async () => {
  const reply = await call({
    addons: [CHART, { ...fromSecret, name: 'broken' }, MANIFESTS],
    required: { 'addon-secret-tokens': [] },
  });
  expect(addOnsReady(reply)?.message).toBe(
    'broken: waiting for Secret "team-a/tokens", which does not exist; and 2 more',
  );
});

test('an installed add-on whose ConfigMap disappears stays as it is', async () => {
  const required = { 'addon-configmap-quota': [configMap({ 'all.yaml': JSON.stringify(namespace) })] };
  const observed = applied(await call({ addons: [fromConfigMap], required }));
  const without = await call({ addons: [fromConfigMap], observed, required: { 'addon-configmap-quota': [] } });
  expect(keys(without)).toEqual(keys(await call({ addons: [fromConfigMap], observed, required })));
});

test('an installed chart whose Secret disappears stays as it is, and keeps the name of its release', async () => {
  const required = { 'addon-secret-tokens': [secret({ 'slipway.dev/cluster': 'prod' })] };
  const observed = applied(await call({ addons: [fromSecret], required }));
  const without = await call({ addons: [fromSecret], observed, required: { 'addon-secret-tokens': [] } });
  const { status: _status, ...release } = observed['addon-ingress']!;
  expect(without.resources.get('addon-ingress')?.resource).toEqual(release);
});

test('a chart in another namespace would be installed twice', async () => {
  const observed = applied(await call());
  const moved = await call({ addons: [{ ...CHART, namespace: 'other' }], observed });
  expect(addOnsReady(moved)?.message).toBe(
    'ingress: namespace "other" is not accepted; accepted: kube-system, where it is installed, or another name',
  );
});

describe('a repository that a later limit leaves out', () => {
  const input = { limits: { repositories: ['https://other.example.com'] } };
  const why =
    'spec.addons[0].chart.repository: "https://charts.example.com" is not accepted; accepted: https://other.example.com (limits.repositories in AddOnsInput of the Composition)';

  test('is kept where it is installed, and the cluster says so', async () => {
    const observed = applied(await call());
    const newer = chart({ version: '4.2.0' });
    expect(keys(await call({ observed, input }))).toEqual(keys(await call({ observed })));
    expect(addOnsReady(await call({ observed, input }))).toMatchObject({
      status: 'True',
      message: `${why}; the cluster keeps it`,
    });
    const { resources } = await call({ addons: [newer], observed, input });
    expect(resources.get('addon-ingress')?.resource.spec).toMatchObject({
      forProvider: { chart: { version: '4.2.0' } },
    });
  });

  test('is not installed anywhere else, and holds up nothing', async () => {
    const reply = await call({ addons: [CHART, { ...MANIFESTS, when: 'NodesJoining' }], input });
    expect(keys(reply).some((key) => key.startsWith('addon-quota.'))).toBe(true);
    expect(keys(reply)).not.toContain('addon-ingress');
    expect(addOnsReady(reply)).toMatchObject({
      reason: 'NotApplied',
      message: expect.stringContaining(`ingress: ${why}`) as string,
    });
  });

  test('is refused to a chart that is installed from another one', async () => {
    const observed = applied(await call());
    const moved = chart({ repository: 'https://169.254.169.254/charts' });
    const { resources } = await call({ addons: [moved], observed });
    expect(resources.get('addon-ingress')?.resource.spec).toEqual(observed['addon-ingress']?.spec);
  });

  test('is refused of a new Cluster', async () => {
    await expect(call({ stage: 'None', input })).rejects.toThrow(`cannot accept Cluster "team-a/prod": ${why}`);
  });
});
