import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { yamlText } from '#lib/api/yaml.ts';
import { crdsAvailable, validateManaged } from '../../test/support/crds.ts';
import { expectLaws } from '../../test/support/function-laws.ts';
import { addOnsReady, applied, call, CHART, keys, MANIFESTS, NETWORK, request } from './addons.fixture.ts';
import { run } from './fn.ts';

const defaults = { defaults: [NETWORK] };

const specOf = (object: KubeObject | undefined, ...path: readonly string[]) => at(object, 'spec', ...path);

describe('an add-on', () => {
  test('is what the golden file shows', async () => {
    const { resources } = await call({
      addons: [
        { ...CHART, wait: true },
        { ...MANIFESTS, wait: true },
      ],
      input: defaults,
    });
    const objects = [...resources.values()].map(({ resource }) => resource).filter(({ kind }) => kind !== 'Secret');
    await expect(objects.map(yamlText).join('---\n')).toMatchFileSnapshot(
      join(import.meta.dirname, 'golden/objects.yaml'),
    );
  });

  test.skipIf(!crdsAvailable())('is accepted by the schemas of both providers', async () => {
    const { resources } = await call({
      addons: [
        { ...CHART, wait: true },
        { ...MANIFESTS, wait: true },
      ],
      input: defaults,
    });
    const composed = [...resources.values()].filter(({ resource }) => resource.kind !== 'Secret');
    expect(composed.flatMap(({ resource }) => validateManaged(resource))).toEqual([]);
  });

  test('is not deleted with its object, so that a Cluster that is deleted waits for none', async () => {
    const { resources } = await call({ addons: [CHART, { ...MANIFESTS, policy: 'Delete' }] });
    const applied = [...resources.values()].filter(({ resource }) => /^(Release|Object)$/.test(resource.kind));
    expect(applied.map(({ resource }) => specOf(resource, 'managementPolicies'))).toEqual(
      Array.from({ length: 3 }, () => ['Observe', 'Create', 'Update', 'LateInitialize']),
    );
  });

  test('comes when its stage is reached, and what nodes need comes first', async () => {
    const early = { ...CHART, name: 'early', when: 'NodesJoining' };
    const at = (stage: 'None' | 'Initialized' | 'Available') => call({ addons: [CHART, early], stage });
    expect(keys(await at('None'))).toEqual([]);
    expect(keys(await at('Initialized'))).toEqual(['addon-early', 'addons-helm-provider-config']);
    expect(keys(await at('Available'))).toEqual(['addon-early', 'addon-ingress', 'addons-helm-provider-config']);
  });

  test('that exists stays when the control plane fails, because it is not why', async () => {
    const observed = applied(await call());
    expect(keys(await call({ stage: 'None', observed }))).toEqual(keys(await call({ observed })));
  });

  test('is ready when its provider installed the version it was told, and not before', async () => {
    const observed = applied(await call());
    expect(addOnsReady(await call({ observed }))).toMatchObject({ status: 'True', reason: 'Ready' });
    const newer = { ...CHART, chart: { ...(CHART['chart'] as JsonObject), version: '4.2.0' } };
    const told = await call({ addons: [newer], observed });
    expect(addOnsReady(told)).toMatchObject({
      status: 'False',
      message: 'ingress: the provider has not seen its last change yet',
    });
    const seen = {
      ...observed,
      'addon-ingress': { ...told.resources.get('addon-ingress')!.resource, status: observed['addon-ingress']!.status! },
    };
    expect(addOnsReady(await call({ addons: [newer], observed: seen }))).toMatchObject({
      message: 'ingress: chart 4.2.0 is not installed yet; it is 4.1.0',
    });
  });

  test('that is not ready keeps the Cluster from being ready', async () => {
    expect((await call()).compositeReady).toBe('False');
    expect((await call({ observed: applied(await call()) })).compositeReady).toBe('Unspecified');
  });
});

describe('an add-on that is taken out', () => {
  const gone = async (addOn: JsonObject) => {
    const observed = applied(await call({ addons: [addOn] }));
    return { observed, told: await call({ addons: [], observed }) };
  };

  test('goes at once with policy Keep, and stays in the cluster', async () => {
    expect(keys((await gone(CHART)).told)).toEqual(['addons-helm-provider-config']);
  });

  test('goes although the step before carries it forward, as something that it does not know', async () => {
    const observed = applied(await call());
    expect(keys(await call({ addons: [], observed, carried: observed }))).toEqual(['addons-helm-provider-config']);
  });

  test('is first told to be uninstalled with policy Delete, and goes when that is observed', async () => {
    const { told } = await gone({ ...CHART, policy: 'Delete' });
    const release = told.resources.get('addon-ingress')!.resource;
    expect(specOf(release, 'managementPolicies')).toEqual(['*']);
    const next = await call({ addons: [], observed: applied(told) });
    expect(keys(next)).toEqual(['addons-helm-provider-config']);
    expect(addOnsReady(next)).toMatchObject({ status: 'True', message: 'taken out: ingress' });
  });

  test('stays if it does not say what to do with it', async () => {
    const { observed } = await gone(CHART);
    const { annotations: _annotations, ...metadata } = observed['addon-ingress']!.metadata!;
    const unclear = { ...observed, 'addon-ingress': { ...observed['addon-ingress']!, metadata } };
    expect(keys(await call({ addons: [], observed: unclear }))).toContain('addon-ingress');
  });

  test('of a list of manifests goes alone', async () => {
    const observed = applied(await call({ addons: [MANIFESTS] }));
    const [first] = (MANIFESTS['manifests'] as { objects: JsonObject[] }).objects;
    const less = await call({ addons: [{ ...MANIFESTS, manifests: { objects: [first!] } }], observed });
    expect(keys(less).filter((key) => key.startsWith('addon-'))).toHaveLength(1);
  });
});

describe('a default of the platform', () => {
  const release = async (parts: Parameters<typeof call>[0]) =>
    (await call({ addons: [], input: defaults, ...parts })).resources.get('addon-network')?.resource;

  test('has the fields of the Cluster in its values', async () => {
    expect(
      specOf(
        await release({ stage: 'Initialized', status: { addons: { defaults: 'Installed' } } }),
        'forProvider',
        'values',
      ),
    ).toEqual({
      cidr: '10.244.0.0/16',
      cluster: { name: 'of prod' },
    });
  });

  test('is recorded for a new Cluster, and left out of one that is older', async () => {
    expect((await call({ addons: [], input: defaults, stage: 'None' })).status['addons']).toEqual({
      defaults: 'Installed',
    });
    const older = await call({ addons: [], input: defaults });
    expect(older.status['addons']).toEqual({ defaults: 'Left' });
    expect(keys(older)).toEqual([]);
  });

  const installed = { status: { addons: { defaults: 'Installed' } } };

  test.each([
    ['is installed', [], 'v3.31.3'],
    ['is skipped by name', [{ name: 'network', default: 'Skip' }], undefined],
    ['is replaced by name', [{ ...CHART, name: 'network' }], '4.1.0'],
  ] as const)('%s', async (_, addons, version) => {
    expect(specOf(await release({ ...installed, addons }), 'forProvider', 'chart', 'version')).toBe(version);
  });

  test('is installed into an older Cluster that asks for it', async () => {
    const asked = await release({
      status: { addons: { defaults: 'Left' } },
      addons: [{ name: 'network', default: 'Install' }],
    });
    expect(asked).toBeDefined();
  });

  test.each([
    ['kubeadm', {}, true],
    ['k3s', {}, false],
    ['k3s', { 'flannel-backend': 'none' }, true],
    ['rke2', {}, false],
    ['rke2', { cni: ['none'] }, true],
    ['talos', { cni: { name: 'none' } }, true],
    ['canonical-kubernetes', { 'cluster-config': { network: { enabled: false } } }, true],
    ['unknown', {}, true],
  ] as const)('with %s and %o is installed only if it brings no network itself', async (provider, config, is) => {
    const made = await release({ ...installed, spec: { bootstrap: { provider, config } } });
    expect(made !== undefined).toBe(is);
  });

  test.each([
    ['kubeadm', { 'node-role.kubernetes.io/control-plane': '' }],
    ['rke2', { 'node-role.kubernetes.io/control-plane': 'true' }],
    [
      'microk8s',
      {
        'node-role.kubernetes.io/control-plane': null,
        'node.kubernetes.io/microk8s-controlplane': 'microk8s-controlplane',
      },
    ],
  ] as const)('with %s selects control planes by its own label', async (provider, nodeSelector) => {
    const chart = { ...(NETWORK['chart'] as JsonObject), values: { nodeSelector: '$(bootstrap.controlPlaneNodes)' } };
    const { brings: _brings, ...everywhere } = NETWORK;
    const input = { defaults: [{ ...everywhere, chart }] };
    const made = await release({ ...installed, input, spec: { bootstrap: { provider, config: {} } } });
    expect(specOf(made, 'forProvider', 'values', 'nodeSelector')).toEqual(nodeSelector);
  });

  test('follows the control plane to another minor, and then says so', async () => {
    const before = { status: { addons: { defaults: 'Installed', version: 'v1.35.4' } } };
    const observed = applied(await call({ addons: [], input: defaults, ...before }));
    const settled = await call({ addons: [], input: defaults, ...before, observed });
    expect(settled.status['addons']).toEqual({ defaults: 'Installed', version: 'v1.35.4' });
    const next = { addons: [], input: defaults, ...before, version: 'v1.36.0' };
    const upgraded = await call({ ...next, observed });
    expect(specOf(upgraded.resources.get('addon-network')?.resource, 'forProvider', 'chart', 'version')).toBe(
      'v3.32.0',
    );
    expect(upgraded.status['addons']).toEqual({ defaults: 'Installed', version: 'v1.35.4' });
    const done = await call({ ...next, observed: applied(upgraded) });
    expect(done.status['addons']).toEqual({ defaults: 'Installed', version: 'v1.36.0' });
  });

  test('stays as it is where the table has no version, and says which ones it has', async () => {
    const observed = applied(await call({ addons: [], input: defaults, ...installed }));
    const reply = await call({ addons: [], input: defaults, ...installed, version: 'v1.37.0', observed });
    expect(specOf(reply.resources.get('addon-network')?.resource, 'forProvider', 'chart', 'version')).toBe('v3.31.3');
    expect(addOnsReady(reply)?.message).toBe(
      'network: AddOnsInput of the Composition has no version of it for Kubernetes 1.37; accepted: 1.34, 1.35, 1.36',
    );
  });
});

test('every law of a function holds', async () => {
  const addons = [
    { ...CHART, chart: { ...(CHART['chart'] as JsonObject), valuesFrom: [{ secret: { name: 's', key: 'k' } }] } },
    MANIFESTS,
  ];
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
    data: { k: 'YQ==' },
  };
  const required = { 'addon-secret-s': [secret] };
  const first = {
    addons,
    required,
    input: defaults,
    status: { addons: { defaults: 'Installed', version: 'v1.35.4' } },
  };
  const observed = applied(await call(first));
  await expectLaws(run, {
    'a new cluster': request({ ...first, stage: 'None' }),
    'a cluster that gets its add-ons': request(first),
    'a cluster that has them': request({ ...first, observed }),
  });
});
