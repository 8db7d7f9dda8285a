/** On each flavour: an override changes what it names and nothing else, by value or from a ConfigMap. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { kindFieldsOf } from '#clouds/kind-fields.ts';
import { machineResourcesOf } from '#clouds/machine-resources.ts';
import type { Json, JsonObject, KubeObject } from '#lib/api/json.ts';
import { faultOf } from '#lib/fn/kind-fields.ts';
import { isLike } from '#lib/api/pattern.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { mergePatch } from '#lib/fn/overrides.ts';
import { ROOT } from '../../cli/files/repository.ts';
import type { FlavourSamples } from '../claims/flavour.ts';
import { FLAVOURS, portableClaims } from './portable.ts';
import { settled } from './settled.ts';

const POOL = 'prod-general';

interface Override {
  readonly kind: string;
  readonly patch: JsonObject;
}

/** The pool says it in its claim, the cluster in a ConfigMap. */
function overridden(claims: readonly KubeObject[], ofPool: Override, ofCluster: Override): readonly KubeObject[] {
  const { namespace } = claims[0]?.metadata ?? {};
  const settings: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', ...(namespace === undefined ? {} : { namespace }) },
    data: { patch: stringify(ofCluster.patch) },
  };
  const { patch: _inConfigMap, ...target } = ofCluster;
  const referring = { ...target, patchFrom: { configMap: { name: 'settings', key: 'patch' } } };
  const saying: Readonly<Record<string, JsonObject>> = { [POOL]: { ...ofPool }, prod: referring };
  return [
    settings,
    ...claims.map((claim) => {
      const override = saying[claim.metadata?.name ?? ''];
      if (override === undefined) return claim;
      return { ...claim, spec: { ...claim.spec, infrastructure: { overrides: [override] } } };
    }),
  ];
}

/**
 * The specs of what is in the cloud, by kind and name. An override is part of the template of a machine, so another one
 * gives other names of machines, and of everything that is named after them.
 */
function specsOf(objects: readonly KubeObject[], kinds: ReadonlySet<string>): ReadonlyMap<string, Json> {
  const ours = objects.filter(({ kind, apiVersion }) => kinds.has(kind) && apiVersion !== 'v1');
  const text = JSON.stringify(ours.map(({ kind, metadata, spec }) => [`${kind} ${metadata?.name}`, spec ?? {}]));
  const decoded = text.replaceAll(/"(I2[A-Za-z0-9+/=]{100,})"/g, (_, data: string) =>
    JSON.stringify(Buffer.from(data, 'base64').toString()),
  );
  const general = decoded
    .replaceAll(/((?:general|control-plane)-\d)-[a-z0-9]{5}(-[a-z0-9]{6})?(?![a-z0-9])/g, '$1')
    .replaceAll(/(?<=(?:general|control-plane)-\d_)[a-z0-9]{22}/g, '')
    .replaceAll(/(?<=eni-)[0-9a-f]{17}/g, '');
  return new Map(JSON.parse(general) as [string, Json][]);
}

const nameOf = ({ metadata }: KubeObject): string => metadata?.annotations?.[CROSSPLANE.compositionResourceName] ?? '';

/** Not what bootstrap and provider-node make: a Secret of Kubernetes has the kind that secrets of clouds have. */
function isOfCloud(object: KubeObject): boolean {
  if (object.apiVersion !== 'v1') return true;
  const owners = object.metadata?.['ownerReferences'] as readonly { readonly kind: string }[] | undefined;
  const isOfMachine = owners?.some(({ kind }) => kind === 'Machine') === true;
  return isOfMachine && nameOf(object) !== PAYLOAD_RESOURCE;
}

describe.for(FLAVOURS)('on %s', (flavour) => {
  const fields = kindFieldsOf(flavour) ?? {};
  const kinds = new Set(Object.keys(fields));
  let plain: readonly KubeObject[];
  let changed: ReadonlyMap<string, Json>;
  let overrides: readonly [Override, Override];

  beforeAll(async () => {
    const file = join(ROOT, `clouds/${flavour}/claims.fixture.ts`);
    const { CLAIMS } = (await import(file)) as { CLAIMS: FlavourSamples };
    overrides = CLAIMS.overrides as unknown as readonly [Override, Override];
    plain = await settled(flavour, portableClaims(flavour));
    changed = specsOf(await settled(flavour, overridden(portableClaims(flavour), ...overrides)), kinds);
  });

  test('an override changes what it names, and nothing else', () => {
    const [ofPool, ofCluster] = overrides;
    const isMachine = ofPool.kind === ofCluster.kind;
    const wanted = [...specsOf(plain, kinds)].map(([id, spec]) => {
      const [kind = '', name = ''] = id.split(' ');
      const meant = name.startsWith(POOL) ? [ofPool] : isMachine && !name.includes('control-plane') ? [] : [ofCluster];
      const patches = meant.filter((one) => one.kind === kind);
      return [
        id,
        patches.reduce<Json>((before, { patch }) => mergePatch(before, patch['spec'] as Json), spec),
      ] as const;
    });
    expect(new Map(wanted)).not.toEqual(specsOf(plain, kinds));
    expect(changed).toEqual(new Map(wanted));
  });

  test('every resource of a machine has a name that an override may say', () => {
    const names = machineResourcesOf(flavour) ?? {};
    const made = plain.filter((object) => object.kind in names && isOfCloud(object));
    expect(made.length).toBeGreaterThan(0);
    const unknown = made.filter(
      (object) => names[object.kind]?.some((known) => isLike(nameOf(object), known)) !== true,
    );
    expect(unknown.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([]);
  });

  test('every field that is composed is one that overrides may be judged by', () => {
    const faults = plain.flatMap((object) => {
      const { kind, apiVersion, spec } = object;
      if (apiVersion === 'v1' || !kinds.has(kind)) return [];
      return faultOf({ spec: spec ?? {} }, fields, { kind })?.path.concat(` of ${kind}`) ?? [];
    });
    expect([...new Set(faults)]).toEqual([]);
  });
});
