/** What a claim can make provider-helm and provider-kubernetes do: both have the keys of every cluster. */
import { describe, expect, test } from 'vitest';
import { at, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { compositions } from '../../cli/files/repository.ts';
import { call, CHART, MANIFESTS, request } from '../../functions/addons/addons.fixture.ts';
import { run } from '../../functions/addons/fn.ts';
import { aWorld } from '../support/request.ts';

/** Objects that lead elsewhere when they are taken for instructions, and not for what is to be applied. */
const LEADING: readonly JsonObject[] = [
  {
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'Object',
    metadata: { name: 'o', namespace: 'team-b' },
    spec: { providerConfigRef: { kind: 'ClusterProviderConfig', name: 'in-cluster' } },
  },
  {
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'ProviderConfig',
    metadata: { name: 'prod', namespace: 'team-a' },
    spec: { credentials: { source: 'InjectedIdentity' } },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'all', annotations: { 'crossplane.io/external-name': 'other' }, ownerReferences: [] },
    references: [{ patchesFrom: { apiVersion: 'v1', kind: 'Secret', name: 'keys', fieldPath: 'data' } }],
    spec: { managementPolicies: ['*'], connectionDetails: [{ fieldPath: 'data' }] },
  },
];

describe('what an add-on applies', () => {
  test('goes to the cluster of its claim, whatever it says', async () => {
    const addons: readonly JsonObject[] = [{ name: 'a', manifests: { objects: [...LEADING] } }];
    const { resources } = await call({ addons });
    const composed = [...resources.values()].map(({ resource }) => resource);
    const objects = composed.filter(({ kind }) => kind === 'Object');
    expect(objects).toHaveLength(LEADING.length);
    for (const { metadata, spec } of objects) {
      expect(metadata?.namespace).toBe('team-a');
      expect(Object.keys(metadata?.annotations ?? {})).toEqual(['slipway.dev/addon-policy']);
      expect({ ...spec, forProvider: Object.keys(at(spec, 'forProvider') as JsonObject) }).toEqual({
        forProvider: ['manifest'],
        managementPolicies: ['Observe', 'Create', 'Update', 'LateInitialize'],
        providerConfigRef: { kind: 'ProviderConfig', name: expect.stringMatching(/^prod-/) },
      });
    }
    const others = composed.filter(({ kind, apiVersion }) => kind !== 'Object' && /kubernetes|helm/.test(apiVersion));
    expect(others.map(({ kind, spec }) => [kind, spec])).toEqual([
      ['ProviderConfig', { credentials: { source: 'Secret', secretRef: PROD } }],
    ]);
  });

  test('goes through a ProviderConfig whose name no team can choose, so never through one that somebody else made', async () => {
    const named = async (uid: string): Promise<readonly unknown[]> => {
      const asked = request({ addons: [MANIFESTS, CHART] });
      const { composite } = asked.observed;
      const claim = { ...composite, metadata: { ...composite.metadata, uid } };
      const answer = await run({ ...asked, observed: { ...asked.observed, composite: claim } }, aWorld());
      const all = [...answer.build().resources.values()].map(({ resource }) => resource);
      const configs = all.filter(({ kind }) => kind === 'ProviderConfig').map(({ metadata }) => metadata?.name);
      const uses = all.flatMap(({ spec }) => at(spec, 'providerConfigRef', 'name') ?? []);
      expect(new Set(uses)).toEqual(new Set(configs));
      return configs;
    };
    const [one, other] = [await named('one'), await named('other')];
    expect(one).toHaveLength(2);
    expect(one.filter((name) => other.includes(name) || name === 'prod')).toEqual([]);
  });

  test('goes on through the ProviderConfig that a Cluster of an earlier release has', async () => {
    const made = (apiVersion: string): KubeObject => ({
      apiVersion,
      kind: 'ProviderConfig',
      metadata: { name: 'prod' },
    });
    const observed = {
      'addons-helm-provider-config': made('helm.m.crossplane.io/v1beta1'),
      'addons-kubernetes-provider-config': made('kubernetes.m.crossplane.io/v1alpha1'),
    };
    const { resources } = await call({ addons: [MANIFESTS, CHART], observed });
    const uses = [...resources.values()].flatMap(
      ({ resource }) => at(resource.spec, 'providerConfigRef', 'name') ?? [],
    );
    expect(new Set(uses)).toEqual(new Set(['prod']));
  });
});

const PROD: Json = { name: 'prod-kubeconfig', namespace: 'team-a', key: 'value' };

/**
 * provider-helm v1.2.0 keeps a chart under its name and version, and loads what is there for every repository; the file
 * has the name that the repository gives it.
 */
describe('the repositories of charts that a claim may name', () => {
  const inputs = compositions().flatMap((composition: KubeObject) => {
    const steps = (at(composition.spec, 'pipeline') ?? []) as readonly { readonly input?: JsonObject }[];
    return steps.flatMap(({ input }) =>
      input?.['kind'] === 'AddOnsInput' ? [[composition.metadata?.name, input]] : [],
    );
  }) as readonly (readonly [string, JsonObject])[];

  test('are in the shipped Compositions only those of the platform itself: one of them could replace any chart', () => {
    expect(inputs.length).toBeGreaterThan(3);
    for (const [name, input] of inputs) {
      const defaults = (input['defaults'] ?? []) as readonly JsonObject[];
      const own = new Set(defaults.map((one) => at(one, 'chart', 'repository')));
      expect(new Set(at(input, 'limits', 'repositories') as readonly string[]), name).toEqual(own);
    }
  });
});
