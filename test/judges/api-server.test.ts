/**
 * Our definitions and policies in a real Kubernetes API server: it refuses a schema whose rules cost too much, or that
 * do not compile, when the definition is applied; and it says of claims what the platform said of them.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { COMPOSITES } from '#lib/api/kinds/definitions.ts';
import { isOfPlatform } from '#lib/api/platform-host.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions as simulatedDefinitions, ROOT } from '../../cli/files/repository.ts';
import { applyOnce } from '#simulator/render/apply-once.ts';
import { INPUTS } from '../refused/inputs.ts';
import { PROGRAMS } from '../e2e/binaries/catalog.ts';
import { type Binaries, find } from '../e2e/binaries/find.ts';
import { type Kubernetes, startKubernetes } from '../e2e/lab/kubernetes.ts';
import { Processes } from '../e2e/lab/processes.ts';
import { until } from '../e2e/lab/waiting.ts';
import { largest, listsIn } from './largest.ts';
import { define, definitionsOf, manifests } from './management-api.ts';

const NEEDED = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;
const found = NEEDED.map((name) => {
  const program = PROGRAMS.find((one) => one.name === name);
  return [name, program === undefined ? undefined : find(program)] as const;
});
const absent = [
  ...found.flatMap(([name, path]) => (path === undefined ? [name] : [])),
  ...(manifests === undefined ? ['the CRDs of Crossplane'] : []),
];
if (absent.length > 0)
  process.stdout.write(`skipped: a real API server: ${absent.join(', ')} not found; npm run e2e builds them\n`);

const selected = { crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } } };
const claim = (kind: string, name: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, namespace: 'team-a' },
  spec: { ...selected, ...spec },
});
const cluster = (name: string, machine: JsonObject): KubeObject =>
  claim('Cluster', name, { version: 'v1.35.4', region: 'eu-west', controlPlane: { machine } });
const pool = (name: string, machine: JsonObject): KubeObject =>
  claim('NodePool', name, { clusterRef: { name: 'prod' }, machine });

/** The Compositions of Clusters on AWS, with these limits in their inputs, by kind. */
const limited = (limits: Readonly<Record<string, Readonly<Record<string, Json | undefined>>>>): KubeObject[] =>
  compositions()
    .filter(({ metadata }) => metadata?.name === 'clusters.aws.slipway.dev')
    .map((one) => {
      const steps = at(one, 'spec', 'pipeline') as readonly { readonly input?: JsonObject }[];
      const pipeline = steps.map((step) => {
        const own = limits[typeof step.input?.['kind'] === 'string' ? step.input['kind'] : ''];
        if (own === undefined) return step;
        return { ...step, input: { ...step.input, limits: { ...(step.input?.['limits'] as JsonObject), ...own } } };
      });
      return { ...one, spec: { ...one.spec, pipeline } };
    });

const SMALL = { class: 'standard-2' };
/** Bytes: what etcd takes. */
const LARGEST = 1_400_000;
const simulated = simulatedDefinitions();

describe.skipIf(absent.length > 0)('a real API server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-api-'));
  const processes = new Processes(join(folder, 'logs'));
  let kubernetes: Kubernetes;
  const definitions = absent.length > 0 ? [] : definitionsOf();

  beforeAll(async () => {
    const binaries = Object.fromEntries(found) as unknown as Binaries;
    kubernetes = await startKubernetes(binaries, processes, folder);
  });
  afterAll(async () => {
    await processes.stopAll();
    rmSync(folder, { recursive: true });
  });

  test('accepts every definition: no rule costs too much', async () => {
    expect(definitions.length).toBeGreaterThan(COMPOSITES.length);
    await define(kubernetes, definitions);
  });

  test('refuses of the inputs of test/refused what the API of the simulator refuses, and nothing else', async () => {
    await kubernetes.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
    const inputs = INPUTS.map(({ name, kind, spec }, index) => {
      const good = kind === 'Cluster' ? cluster(`c-${index}`, SMALL) : pool(`p-${index}`, SMALL);
      return { name: `${kind}: ${name}`, object: { ...good, spec: { ...(good['spec'] as JsonObject), ...spec } } };
    });
    const differing: string[] = [];
    for (const { name, object } of inputs) {
      const definition = simulated.find(({ spec }) => at(spec, 'names', 'kind') === object.kind);
      const simulatedToo = definition !== undefined && 'refused' in applyOnce(object, undefined, definition);
      const refused = await kubernetes.api.apply(object).then(
        () => false,
        () => true,
      );
      if (refused !== simulatedToo) differing.push(`${name}: ${refused ? 'refused' : 'accepted'}`);
    }
    expect(differing).toEqual([]);
  });

  test('takes a null for a field that is left out where it has a default, and refuses others, as the simulator does', async () => {
    await kubernetes.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
    const definition = simulated.find(({ spec }) => at(spec, 'names', 'kind') === 'NodePool') as KubeObject;
    const outcomes = await Promise.all(
      [
        { replicas: null },
        { machine: { ...SMALL, image: null } },
        { machine: { ...SMALL, rootDisk: null } },
        { machine: { ...SMALL, rootDisk: { sizeGiB: null } } },
        { machine: { class: null, instanceType: 'm6i.large' } },
        { clusterRef: null },
        { clusterRef: { name: null } },
        { labels: null },
        { labels: { x: null } },
        { taints: [null] },
        { taints: [{ key: 'a', effect: 'NoSchedule', value: null }] },
      ].map(async (fields, index) => {
        const good = pool(`null-${index}`, SMALL);
        const object = { ...good, spec: { ...(good['spec'] as JsonObject), ...fields } } as KubeObject;
        const once = applyOnce(object, undefined, definition);
        const { apiVersion, kind } = object;
        const real = await kubernetes.api.apply(object).then(
          async () => (await kubernetes.api.get({ apiVersion, kind, namespace: 'team-a', name: `null-${index}` })).spec,
          () => 'refused',
        );
        return { fields, real, simulated: 'refused' in once ? 'refused' : once.stored.spec };
      }),
    );
    // Crossplane adds more to spec.crossplane than the definitions here say.
    const own = (spec: unknown): unknown => (isJsonObject(spec) ? { ...spec, crossplane: undefined } : spec);
    for (const { fields, real, simulated: here } of outcomes)
      expect({ fields, spec: own(here) }).toEqual({ fields, spec: own(real) });
    const accepted = outcomes.filter(({ real }) => real !== 'refused').map(({ fields }) => fields);
    expect(accepted).toEqual([
      { machine: { ...SMALL, rootDisk: null } },
      { machine: { ...SMALL, rootDisk: { sizeGiB: null } } },
    ]);
  });

  test('accepts every policy of the platform, and refuses what the limits of a Composition do not allow', async () => {
    const { api } = kubernetes;
    await api.apply({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team-a', annotations: { 'slipway.dev/flavors': 'aws' } },
    });
    await api.apply(...compositions());
    const platform = join(ROOT, 'docs/install/platform.yaml');
    expect(existsSync(platform)).toBe(true);
    await api.apply(...readObjects([platform]));
    const answer = async (object: KubeObject): Promise<string> =>
      api.apply(object).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    // A policy is in force a moment after it was stored.
    await until('the policies are in force', { seconds: 60 }, async () => {
      const said = await answer(pool('probe', { instanceType: 'p5.48xlarge' }));
      if (said !== 'accepted') return { found: true };
      await api.delete({ apiVersion: 'slipway.dev/v1alpha1', kind: 'NodePool', namespace: 'team-a', name: 'probe' });
      return { yet: said };
    });
    expect(await answer(pool('large', { instanceType: 'p5.48xlarge' }))).toContain(
      'spec.machine.instanceType: "p5.48xlarge" is not accepted; the platform team may allow it in limits.sizes',
    );
    expect(await answer(cluster('large', { instanceType: 'p5.48xlarge' }))).toContain(
      'spec.controlPlane.machine.instanceType: "p5.48xlarge" is not accepted; the platform team may allow it in limits.sizes',
    );
    expect(await answer(cluster('clear', { class: 'standard-2', rootDisk: { encrypted: false } }))).toContain(
      'spec.controlPlane.machine.rootDisk.encrypted: false is not accepted',
    );
    expect(await answer(cluster('prod', { class: 'standard-2' }))).toBe('accepted');
    const inOther = cluster('in-other', SMALL);
    const existing = (network: JsonObject, subnet: JsonObject): JsonObject => ({
      existing: { network, subnets: [{ ...subnet, zone: 'eu-west-1a' }] },
    });
    const [byId, byReference] = [{ id: 'vpc-1' }, { ref: { name: 'shared' } }].map((part) => ({
      ...inOther,
      spec: { ...inOther.spec, infrastructure: existing(part, part) },
    }));
    expect(await answer(byId ?? inOther)).toContain('existing.network.id: "vpc-1" is not accepted');
    // The function knows the id.
    expect(await answer(byReference ?? inOther)).toBe('accepted');
    // A class of an EnvironmentConfig: the function knows whether there is one.
    expect(await answer(pool('gpu', { class: 'gpu-8' }))).toBe('accepted');
    expect(await answer(pool('family', { instanceType: 'm6i.large' }))).toBe('accepted');
  });

  test('refuses credentials that the Composition does not list', async () => {
    const asking = (name: string, providerConfigRef: JsonObject): KubeObject => {
      const object = cluster(name, SMALL);
      return { ...object, spec: { ...object.spec, infrastructure: { providerConfigRef } } };
    };
    const { api } = kubernetes;
    await expect(api.apply(asking('foreign', { kind: 'ClusterProviderConfig', name: 'of-others' }))).rejects.toThrow(
      'spec.infrastructure.providerConfigRef: "ClusterProviderConfig of-others" is not accepted; the platform team may allow it in providerConfigs in ClusterInput',
    );
    await expect(api.apply(asking('own', { kind: 'ProviderConfig', name: 'default' }))).resolves.not.toThrow();
    // Left out of the input, kind and name are as the function reads them.
    const unsaid = compositions()
      .filter(({ metadata }) => metadata?.name === 'clusters.aws.slipway.dev')
      .map((one) => ({
        ...one,
        spec: JSON.parse(
          JSON.stringify(one.spec, (key, value: Json) => (key === 'providerConfigRef' ? {} : value)),
        ) as JsonObject,
      }));
    expect(unsaid).toHaveLength(1);
    await api.apply(...unsaid);
    const byDefault = asking('by-default', { kind: 'ClusterProviderConfig', name: 'default' });
    await until('the Composition is in force', { seconds: 20 }, async () => {
      const said = await api.apply(byDefault).then(
        () => undefined,
        (error: Error) => error.message,
      );
      return said === undefined ? { found: true } : { yet: said };
    });
    await api.apply(...compositions());
  });

  test('refuses where the platform would call itself, and what its limits do not list', async () => {
    const { api } = kubernetes;
    const to = (name: string, host: string): KubeObject => {
      const object = cluster(name, SMALL);
      const controlPlane = { ...(object.spec?.['controlPlane'] as JsonObject), endpoint: { host } };
      return { ...object, spec: { ...object.spec, controlPlane } };
    };
    const charting = (name: string, ...repositories: readonly string[]): KubeObject => {
      const addons = repositories.map((repository, index) => ({
        name: `a-${index}`,
        chart: { repository, name: 'ingress', version: '4.1.0' },
      }));
      const object = cluster(name, SMALL);
      return { ...object, spec: { ...object.spec, addons } };
    };
    const answer = async (object: KubeObject): Promise<string> =>
      api.apply(object).then(
        async () => {
          const { apiVersion, kind, metadata } = object;
          await api.delete({ apiVersion, kind, namespace: 'team-a', name: metadata?.name ?? '' });
          return 'accepted';
        },
        (error: Error) => error.message,
      );
    const refusedHost = (host: string): string =>
      `spec.controlPlane.endpoint.host: "${host}" is not accepted; the platform team may allow it in limits.endpoints in ClusterInput`;
    const refusedRepository = (repository: string): string =>
      `spec.addons: chart.repository: "${repository}" is not accepted; the platform team may allow it in limits.repositories in AddOnsInput`;
    const CLOSED = [
      '127.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '::1',
      'fe80::1',
      'fd00:ec2::254',
      'localhost',
      'api.localhost',
      'registry',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
      'vault.vault-system',
      'metadata.google.internal',
    ];
    const OPEN = [
      'api.example.com',
      '10.0.0.9',
      '2001:db8::9',
      'svc.example.com',
      'localhost.example.org',
      'a.xn--fiqs8s',
    ];
    expect(
      CLOSED.filter((host) => !isOfPlatform(host)),
      'as the functions judge',
    ).toEqual([]);
    expect(OPEN.filter(isOfPlatform), 'as the functions judge').toEqual([]);
    for (const host of CLOSED) expect(await answer(to('closed', host)), host).toContain(refusedHost(host));
    for (const host of OPEN) expect(await answer(to('open', host)), host).toBe('accepted');
    // The schema accepts no other notation of a host.
    for (const host of ['127.1', '2130706433', '0x7f000001', '::ffff:127.0.0.1', 'localhost.'])
      expect(await answer(to('other', host)), host).toContain('is not a host');
    // The shipped Composition lists the repositories of its own add-ons.
    await api.apply(...limited({ AddOnsInput: { repositories: undefined } }));
    await until('repositories are no longer listed', { seconds: 20 }, async () => {
      const said = await answer(charting('open', 'https://charts.example.com'));
      return said === 'accepted' ? { found: true } : { yet: said };
    });
    const urls = (host: string): string => `https://${host.includes(':') ? `[${host}]` : host}/charts`;
    for (const url of [...CLOSED.map(urls), 'https://0x7f000001/', 'oci://2130706433:5000/a', 'https://LOCALHOST./'])
      expect(await answer(charting('closed', 'https://charts.example.com', url)), url).toContain(
        refusedRepository(url),
      );
    for (const url of OPEN.map(urls)) expect(await answer(charting('open', url)), url).toBe('accepted');

    const before = charting('before', 'https://other.example.com');
    await api.apply(before);
    await api.apply(
      ...limited({
        ClusterInput: { endpoints: ['*.example.com', '10.0.0.0/8', '*.clusters.svc', 'prod'] },
        AddOnsInput: {
          repositories: ['https://charts.example.com', 'oci://registry.example.com/team-', 'https://charts.tools.svc/'],
        },
      }),
    );
    await until('the limits are in force', { seconds: 20 }, async () => {
      const said = await answer(to('limited', 'api.example.org'));
      return said === 'accepted' ? { yet: said } : { found: true };
    });
    for (const host of ['api.example.com', '10.9.0.1', 'prod.clusters.svc', 'prod'])
      expect(await answer(to('listed', host)), host).toBe('accepted');
    for (const host of ['api.example.org', '11.0.0.1', '127.0.0.1', 'other', 'prod.other.svc'])
      expect(await answer(to('unlisted', host)), host).toContain(refusedHost(host));
    for (const url of [
      'https://charts.example.com/a',
      'oci://registry.example.com/team-a',
      'https://charts.tools.svc/a',
    ])
      expect(await answer(charting('listed', url)), url).toBe('accepted');
    for (const url of ['https://charts.example.com.evil.org/', 'https://other.example.com', 'https://127.0.0.1/'])
      expect(await answer(charting('unlisted', url)), url).toContain(refusedRepository(url));
    // What it had stays, beside what it may have.
    await api.apply(charting('before', 'https://other.example.com', 'https://charts.example.com/a'));
    await expect(api.apply(charting('before', 'https://more.example.com'))).rejects.toThrow(
      refusedRepository('https://more.example.com'),
    );
    await api.apply(...compositions());
  });

  test('takes the network policies of the platform', async () => {
    const { api } = kubernetes;
    await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'crossplane-system' } });
    const policies = readObjects([join(ROOT, 'docs/install/network.yaml')]);
    expect(policies).not.toEqual([]);
    for (const policy of policies) await expect(api.apply(policy)).resolves.not.toThrow();
  });

  test('leaves what a claim had before a limit came, and refuses more of it', async () => {
    const { api } = kubernetes;
    const sized = (name: string, replicas: number, more: JsonObject = {}): KubeObject => {
      const object = pool(name, { instanceType: 'm6i.large' });
      return { ...object, spec: { ...object.spec, replicas, ...more } };
    };
    await api.apply(sized('kept', 3));
    const narrow = compositions()
      .filter(({ metadata }) => metadata?.name === 'nodepools.aws.slipway.dev')
      .map((one) => {
        const steps = at(one, 'spec', 'pipeline') as readonly { readonly input?: JsonObject }[];
        const pipeline = steps.map((step) =>
          step.input?.['kind'] === 'NodePoolInput'
            ? { ...step, input: { ...step.input, limits: { replicas: 2, sizes: [], images: [], diskSizeGiB: 8 } } }
            : step,
        );
        return { ...one, spec: { ...one.spec, pipeline } };
      });
    expect(narrow).toHaveLength(1);
    await api.apply(...narrow);
    const answer = async (object: KubeObject): Promise<string> =>
      api.apply(object).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    // Another one each time: what was created before they were in force may stay as it is.
    const names = { used: 0 };
    await until('the limits are in force', { seconds: 60 }, async () => {
      names.used += 1;
      const said = await answer(sized(`new-${names.used}`, 1));
      return said === 'accepted' ? { yet: said } : { found: true };
    });
    expect(await answer(sized('kept', 3, { labels: { 'example.com/a': 'b' } }))).toBe('accepted');
    expect(await answer(sized('kept', 4))).toContain('spec.replicas: 4 is not accepted; accepted: at most 2');
    expect(
      await answer({ ...sized('kept', 3), spec: { ...sized('kept', 3).spec, machine: { class: 'standard-4' } } }),
    ).toContain('spec.machine.class: "standard-4" is not accepted');
  });

  test.for(['Cluster', 'NodePool'])('has time for every rule on the largest %s that it may store', async (kind) => {
    const crd = definitions.find((one) => at(one.spec, 'names', 'kind') === kind);
    const [version] = at(crd?.spec, 'versions') as readonly JsonObject[];
    const schema = at(version, 'schema', 'openAPIV3Schema', 'properties', 'spec') as JsonObject;
    const sizes = [
      ...[1, 4, 8, 16].map((items) => ({ items, characters: Math.round(4000 / items ** 2) })),
      ...listsIn(schema).flatMap((wide) => [16, 300].map((characters) => ({ items: 1, characters, wide }))),
    ];
    const unchecked: string[] = [];
    let sent = 0;
    for (const size of sizes) {
      const object = claim(kind, 'large', { ...(largest(schema, size) as JsonObject), ...selected });
      const bytes = JSON.stringify(object).length;
      if (bytes > LARGEST) continue;
      sent = Math.max(sent, bytes);
      const said = await kubernetes.api.apply(object).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      if (/budget|not checked/.test(said)) unchecked.push(`${JSON.stringify(size)}: ${said.slice(0, 300)}`);
    }
    expect(unchecked).toEqual([]);
    expect(sent).toBeGreaterThan(LARGEST / 2);
  });

  test('refuses a rule that costs too much, so that the first of these tests can fail', async () => {
    const [first] = definitions;
    const text = JSON.stringify(first)
      .replaceAll(/"maxItems":\d+,?/g, '')
      .replaceAll(/"maxLength":\d+,?/g, '');
    const unbounded = JSON.parse(text.replaceAll(/,}/g, '}')) as KubeObject;
    await expect(kubernetes.api.apply(unbounded)).rejects.toThrow(/cost|budget/);
  });
});
