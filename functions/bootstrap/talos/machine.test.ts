import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { at, sameJson } from '#lib/api/json.ts';
import { everyTalos } from './everything.fixture.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';
import { changesOwned, patched } from './patches.ts';
import { documentOf, everythingIn, type Kind, masked, planOf, requestOf } from './plan.fixture.ts';

const golden = (name: string): string => join(import.meta.dirname, 'golden', `${name}.yaml`);
const KINDS: readonly Kind[] = ['init', 'control-plane', 'worker'];
const RELEASES = ['1.13', '1.14'] as const;
const START = 'slipway.dev/node-start';

describe('what a machine receives', () => {
  test.for(
    RELEASES.flatMap((talosVersion) =>
      (['init', 'worker'] as const).flatMap((kind) => [
        { name: `${kind}-${talosVersion}`, kind, config: { talosVersion } },
        { name: `${kind}-${talosVersion}-everything`, kind, config: everyTalos(talosVersion) },
      ]),
    ),
  )('$name', async ({ name, kind, config }) => {
    await expect(masked(await planOf(kind, { config }))).toMatchFileSnapshot(golden(name));
  });

  test.for(RELEASES)(
    'in %s a worker gets no private key, and a control plane gets all of them',
    async (talosVersion) => {
      const keys = async (kind: Kind) =>
        everythingIn(await planOf(kind, { config: { talosVersion } })).match(/BEGIN [A-Z0-9 ]*PRIVATE KEY/g) ?? [];
      expect(await keys('worker')).toEqual([]);
      // The keys of Kubernetes, etcd, the front proxy, service accounts and the Talos API.
      expect((await keys('control-plane')).length).toBeGreaterThanOrEqual(5);
    },
  );

  test('every control plane receives the same: no configuration says which of them starts the cluster', async () => {
    const names = (text: string): string => text.replaceAll(/prod-[a-z-]+-0-aaaaa/g, 'name');
    expect(names(masked(await planOf('init')))).toBe(names(masked(await planOf('control-plane'))));
  });

  test('taints of the claim are set from the start and replace those of Talos', async () => {
    const taints = [
      { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
      { key: 'dedicated', effect: 'NoExecute' },
    ];
    const plan = await planOf('control-plane', { spec: { taints } });
    expect(at(plan.documents[0], 'machine', 'kubelet', 'extraConfig')).toEqual({ registerWithTaints: taints });
    expect(at(plan.documents[0], 'cluster', 'allowSchedulingOnControlPlanes')).toBe(true);
    const next = await planOf('control-plane', { spec: { taints }, config: { talosVersion: '1.14' } });
    expect(documentOf(next, 'KubeletConfig')).toMatchObject({ config: { registerWithTaints: taints } });
    expect(documentOf(next, 'KubeNodeConfig')).not.toHaveProperty('taints');
  });

  test('only labels that a kubelet may set itself; the WorkloadNode sets the others', async () => {
    const labels = { 'example.com/team': 'blue', 'node-role.kubernetes.io/worker': '' };
    const plan = await planOf('worker', { spec: { labels } });
    expect(at(plan.documents[0], 'machine', 'nodeLabels')).toEqual({ 'example.com/team': 'blue' });
  });

  test('a worker pool may run another Talos version, with patches of its own', async () => {
    const poolConfig = {
      talosVersion: '1.14',
      patches: { worker: [{ kind: 'KernelModuleConfig', name: 'nvme_tcp' }] },
    };
    const plan = await planOf('worker', { poolConfig });
    expect(plan.release).toBe('1.14');
    expect(documentOf(plan, 'KernelModuleConfig')).toMatchObject({ name: 'nvme_tcp' });
  });

  test('the laws of every function hold', async () => {
    for (const kind of KINDS) {
      const request = await requestOf(kind, { config: everyTalos('1.13') });
      await expectPure(run, request);
      await expectOrderBlind(run, request);
      await expectNeverSmaller(run, request);
    }
  });
});

describe('the call that starts the cluster', () => {
  const start = { contract: 1, kind: 'Talos', secretRef: { name: 'prod-talosconfig', key: 'talosconfig' } };

  test.for<{ kind: Kind; want: JsonObject | undefined }>([
    { kind: 'init', want: start },
    { kind: 'control-plane', want: undefined },
    { kind: 'worker', want: undefined },
  ])('$kind', async ({ kind, want }) => {
    expect((await replyOf(run, await requestOf(kind))).context[START]).toEqual(want);
  });

  test('is also requested when first-boot data is stored, because the WorkloadNode is created after that', async () => {
    const request = await requestOf('init');
    const { composite } = request.observed;
    const payload = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-init-0-aaaaa-payload' } };
    const { context } = await replyOf(run, aRequest({ composite, observed: { payload } }));
    expect(context).toEqual({ [START]: start });
  });
});

describe('patches', () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'machine', 'network'), json, {
    maxKeys: 3,
  }) as fc.Arbitrary<JsonObject>;
  const documents: readonly JsonObject[] = [
    { version: 'v1alpha1', machine: { network: { a: 1 } } },
    { kind: 'One', name: 'x', a: 1 },
  ];

  test('a patch applied twice equals one applied once, and changes one document only', () => {
    fc.assert(
      fc.property(fields, fc.constantFrom(undefined, 'One', 'Two'), (patch, kind) => {
        const whole = kind === undefined ? patch : { ...patch, kind, name: 'x' };
        const once = patched(documents, [whole]);
        expect(patched(once, [whole])).toEqual(once);
        const changed = documents.filter((document, index) => !sameJson(document, once[index]));
        expect(changed.length + once.length - documents.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test.for([
    { patch: { machine: { token: 'x' } }, owned: true },
    { patch: { machine: null }, owned: true },
    { patch: { cluster: 'x' }, owned: true },
    { patch: { cluster: { etcd: { ca: null } } }, owned: true },
    { patch: { kind: 'HostnameConfig', hostname: 'x' }, owned: true },
    { patch: { cluster: { etcd: { image: 'x' } } }, owned: false },
    { patch: { machine: { sysfs: {} } }, owned: false },
    { patch: { kind: 'WatchdogTimerConfig' }, owned: false },
  ])('$patch changes a field that was fixed when the cluster was created: $owned', ({ patch, owned }) => {
    expect(changesOwned(patch)).toBe(owned);
  });
});
