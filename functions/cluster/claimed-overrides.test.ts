/** Patches that are in a ConfigMap of the claim's namespace. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aClaim, anInput, call, objects, observe, settled } from './cluster.fixture.ts';

const FIELD = 'cannot accept Cluster "team-a/prod": spec.infrastructure.overrides[0].patchFrom.configMap';
const refer = (kind = 'LBTargetGroup', key = 'patch') =>
  aClaim({ infrastructure: { overrides: [{ kind, patchFrom: { configMap: { name: 'settings', key } } }] } });
const settings = (data: JsonObject | undefined): readonly KubeObject[] => [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'team-a' }, ...(data && { data }) },
];
const PATCH = 'spec:\n  forProvider:\n    deregistrationDelay: "30"\n';
const asked = (found: readonly KubeObject[], claim = refer()) =>
  call({ claim, required: { 'overrides-settings': found } });

test('the ConfigMap is asked for, and until then everything stays as it is', async () => {
  const { claim, reply } = await settled(aClaim());
  const waiting = await call({ claim: { ...claim, ...spec(refer()) }, observed: observe(reply) });
  expect(waiting.requirements.get('overrides-settings')).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: 'team-a',
    matchName: 'settings',
  });
  expect([...waiting.resources.keys()].toSorted()).toEqual([...reply.resources.keys()].toSorted());
});

test.for([
  ['YAML', PATCH],
  ['JSON', '{"spec": {"forProvider": {"deregistrationDelay": "30"}}}'],
])('its %s is the same as a patch in the claim', async ([, text]) => {
  const patch = { spec: { forProvider: { deregistrationDelay: '30' } } };
  const inClaim = await call({ claim: aClaim({ infrastructure: { overrides: [{ kind: 'LBTargetGroup', patch }] } }) });
  expect(objects(await asked(settings({ patch: text })))).toEqual(objects(inClaim));
});

test('a ConfigMap is looked at each minute: Crossplane does not tell of its changes', async () => {
  const { claim, reply } = await settled(aClaim());
  const found = { 'overrides-settings': settings({ patch: PATCH }) };
  const later = await call({ claim: { ...claim, ...spec(refer()) }, observed: observe(reply), required: found });
  expect(later.ttl).toBeLessThanOrEqual(60);
});

test('the control plane gets the patch, not the reference', async () => {
  const { claim } = await settled(aClaim());
  const text = 'spec: {forProvider: {monitoring: true}}';
  const required = { 'overrides-settings': settings({ patch: text }) };
  const { reply } = await settled(aClaim());
  const later = await call({ claim: { ...claim, ...spec(refer('Instance')) }, observed: observe(reply), required });
  expect(later.resources.get('control-plane')?.resource.spec).toMatchObject({
    infrastructure: { overrides: [{ kind: 'Instance', patch: { spec: { forProvider: { monitoring: true } } } }] },
  });
});

describe('what is no patch is refused with one line', () => {
  test.for([
    [
      'no ConfigMap',
      [],
      `${FIELD}.name: "settings" is not accepted; accepted: the name of a ConfigMap in namespace team-a; there is none with this name`,
    ],
    [
      'another key',
      settings({ other: PATCH, some: '' }),
      `${FIELD}.key: "patch" is not accepted; accepted: a key of ConfigMap "team-a/settings": other, some`,
    ],
    [
      'no data',
      settings(undefined),
      `${FIELD}.key: "patch" is not accepted; accepted: a key of ConfigMap "team-a/settings": it has none`,
    ],
    ...['a: b: c', '- a', 'text', '', '1'].map(
      (patch) =>
        [
          JSON.stringify(patch),
          settings({ patch }),
          `${FIELD}: key patch of ConfigMap "team-a/settings" is no patch; accepted: an object as YAML or JSON`,
        ] as const,
    ),
    [
      'a field that may not be overridden',
      settings({ patch: 'spec: {forProvider: {vpcId: vpc-1}}' }),
      'cannot accept Cluster "team-a/prod": spec.infrastructure.overrides[0].patch.spec.forProvider.vpcId: may not be overridden',
    ],
    [
      'a field that is none',
      settings({ patch: 'spec: {forProvider: {healthCheck: {intervall: 5}}}' }),
      'spec.infrastructure.overrides[0].patch.spec.forProvider.healthCheck.intervall: unknown field of LBTargetGroup',
    ],
  ] as const)('%s', async ([, found, want]) => {
    await expect(asked(found)).rejects.toThrow(want);
  });
});

test('a value that the provider cannot change on what exists is refused, and named', async () => {
  const input = anInput({ overrides: { LBTargetGroup: ['spec.forProvider.port'] } });
  const { claim, reply } = await settled(aClaim(), input);
  const overrides = [{ kind: 'LBTargetGroup', patch: { spec: { forProvider: { port: 7443 } } } }];
  const edited = { ...claim, ...spec(aClaim({ infrastructure: { overrides } })) };
  await expect(call({ claim: edited, input, observed: observe(reply) })).rejects.toThrow(
    'spec.infrastructure.overrides[0].patch.spec.forProvider.port: cannot change on LBTargetGroup that exists, since the provider would have to replace it; accepted: 6443',
  );
  await expect(call({ claim: aClaim({ infrastructure: { overrides } }), input })).resolves.toBeDefined();
});

function spec({ spec: own }: KubeObject): Pick<KubeObject, 'spec'> {
  return own === undefined ? {} : { spec: own };
}
