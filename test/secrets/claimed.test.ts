/** A claim reads none of the Secrets that Slipway makes, wherever it may name one: every place, and every Secret. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { at, isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { COMPOSITES } from '#lib/api/kinds/definitions.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { Request } from '#lib/fn/request.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { run as addons } from '../../functions/addons/fn.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';
import { anEtcd, EXTERNAL_ETCD } from '../support/external-etcd.ts';
import { aBootstrappedCluster, machineOf, machineRequest } from '../support/first-boot.ts';
import { aRequest, aWorld } from '../support/request.ts';
import { KNOWN_MAKERS, ownSecrets, sourcesLike } from './own.ts';

/** Paths below spec of fields that name a Secret, as cli/plan/uses.ts knows them. */
function placesIn(schema: unknown, path = ''): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { properties, items } = schema;
  const parts = ['anyOf', 'allOf', 'oneOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  const below = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, one]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return /secret$/i.test(name) ? [here] : placesIn(one, here);
  });
  return [
    ...below,
    ...(items === undefined ? [] : placesIn(items, `${path}[]`)),
    ...parts.flatMap((one) => placesIn(one, path)),
  ];
}

const schemaOf = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });

const PLACES = [
  ...COMPOSITES.flatMap(({ spec }) => (spec === undefined ? [] : placesIn(schemaOf(spec)))),
  ...Object.values(BOOTSTRAPPERS).flatMap(({ config }) => placesIn(schemaOf(config.schema), 'bootstrap.config')),
];

/** Of a claim that says the least with it. */
type Saying = (secret: { readonly name: string; readonly key: string }) => JsonObject;

const SAYS: Readonly<Record<string, Saying>> = {
  'provisioning.files[].contentFrom.secret': (secret) => ({ files: [{ path: '/a', contentFrom: { secret } }] }),
  'provisioning.units[].contentsFrom.secret': (secret) => ({
    units: [{ name: 'a.service', contentsFrom: { secret } }],
  }),
  'provisioning.units[].dropIns[].contentsFrom.secret': (secret) => ({
    units: [{ name: 'a.service', dropIns: [{ name: 'a.conf', contentsFrom: { secret } }] }],
  }),
  'provisioning.users[].passwordHashFrom.secret': (secret) => ({
    users: [{ name: 'ops', passwordHashFrom: { secret } }],
  }),
  'provisioning.commands.preFrom[].secret': (secret) => ({ commands: { preFrom: [{ secret }] } }),
  'provisioning.commands.postFrom[].secret': (secret) => ({ commands: { postFrom: [{ secret }] } }),
  'provisioning.proxy.httpFrom.secret': (secret) => ({ proxy: { httpFrom: { secret } } }),
  'provisioning.proxy.httpsFrom.secret': (secret) => ({ proxy: { httpsFrom: { secret } } }),
  'provisioning.registries[].credentialsFrom.secret': (secret) => ({
    registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], credentialsFrom: { secret } }],
  }),
  'addons[].chart.valuesFrom[].secret': (secret) => ({
    repository: 'https://charts.example.com',
    name: 'ingress',
    version: '4.1.0',
    valuesFrom: [{ secret }],
  }),
  'bootstrap.config.etcd.external.caSecret': ({ name }) => ({ caSecret: name }),
  'bootstrap.config.etcd.external.clientSecret': ({ name }) => ({ clientSecret: name }),
};

const cluster = await aBootstrappedCluster();
const ofEtcd = await aBootstrappedCluster({ spec: { bootstrap: { config: EXTERNAL_ETCD } }, supplied: await anEtcd() });
const INPUT = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput' };

/** Names of Secrets in kube-system of the cluster that is claimed: its machines read them. */
const ON_MACHINES = ['bootstrap.config.etcd-s3-config-secret'];

const withSpec = (spec: JsonObject): KubeObject => ({
  ...cluster.cluster,
  spec: { ...cluster.cluster.spec, ...spec },
});

/** The calls that read it: their answers say what becomes of it. */
function callsFor(place: string, said: JsonObject): readonly (readonly [CompositionFunction, Request])[] {
  if (place.startsWith('addons')) {
    const composite = withSpec({ addons: [{ name: 'ingress', chart: said }] });
    const status = {
      ...composite.status,
      conditions: [{ type: 'ControlPlaneAvailable', status: 'True', reason: 'A' }],
    };
    const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'AddOnsInput' };
    const kubeconfig: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-kubeconfig' } };
    return [[addons, aRequest({ composite: { ...composite, status }, observed: { kubeconfig }, input })]];
  }
  if (place.startsWith('bootstrap')) {
    const config = { etcd: { external: { ...EXTERNAL_ETCD.etcd.external, ...said } } };
    const composite = {
      ...ofEtcd.cluster,
      spec: { ...ofEtcd.cluster.spec, bootstrap: { provider: 'kubeadm', config } },
    };
    const key = place.endsWith('caSecret') ? 'etcd-ca' : 'etcd-client';
    const { [key]: _instead, ...secrets } = ofEtcd.secrets;
    const required = Object.fromEntries(Object.entries(secrets).map(([name, one]) => [name, [one]]));
    return [
      [bootstrap, aRequest({ composite, required, input: INPUT })],
      [bootstrap, machineRequest({ cluster: composite, secrets }, machineOf('control-plane', {}, config))],
    ];
  }
  const machine = machineOf('worker', { provisioning: { format: 'cloud-init', ...said } });
  const asked = machineRequest(cluster, machine);
  const context = { [CONTEXT.bootstrapPlan]: PLAN };
  const rendering: readonly [CompositionFunction, Request] = [
    provisioning,
    { ...aRequest({ composite: machine, context }), required: asked.required },
  ];
  // The plan of kubeadm carries registries: only the step before reads their credentials.
  if (place.includes('registries')) return [[bootstrap, asked]];
  return place.includes('proxy') ? [rendering, [bootstrap, asked]] : [rendering];
}

const PLAN = (await bootstrap(machineRequest(cluster, machineOf('worker')), aWorld())).build().context[
  CONTEXT.bootstrapPlan
]!;

/** What a function says of it once Crossplane has sent it whatever it asked for by this name. */
async function answerTo(run: CompositionFunction, request: Request, secret: KubeObject): Promise<string> {
  const required = new Map(request.required);
  for (let calls = 0; ; calls += 1)
    try {
      const { requirements, conditions, resources, context } = (await run({ ...request, required }, aWorld())).build();
      const asked = [...requirements].filter(([key, { kind }]) => kind === 'Secret' && !required.has(key));
      if (asked.length === 0 || calls > 3)
        return JSON.stringify([conditions, [...resources.keys()], context]).replaceAll('\\"', '"');
      for (const [key, { matchName }] of asked) required.set(key, matchName === secret.metadata?.name ? [secret] : []);
    } catch (thrown) {
      return (thrown as Error).message;
    }
}

/** The Cluster of the call, or its facts, say that a key of the cluster is in the Secret of this name. */
function recordingIt(request: Request, name: string): Request {
  const secrets = { ca: { name, origin: 'Supplied' } };
  const recording = (object: KubeObject, part: 'spec' | 'status'): KubeObject => {
    const certificates = at(object[part], 'certificates');
    return { ...object, [part]: { ...object[part], certificates: { ...(certificates as JsonObject), secrets } } };
  };
  const { composite } = request.observed;
  if (composite.kind === 'Cluster')
    return { ...request, observed: { ...request.observed, composite: recording(composite, 'status') } };
  const facts = (request.required.get('cluster') ?? []).map((object) => recording(object, 'spec'));
  return { ...request, required: new Map([...request.required, ['cluster', facts]]) };
}

const keyOf = (secret: KubeObject): string => Object.keys((secret['data'] ?? {}) as JsonObject)[0] ?? 'value';

const REFUSED = (name: string): string =>
  `cannot use Secret "team-a/${name}": it belongs to the cluster itself, and a claim cannot copy it`;

const OWN = await ownSecrets();

test('every place where a claim may name a Secret is tried', () => {
  expect([...new Set(PLACES)].toSorted()).toEqual([...Object.keys(SAYS), ...ON_MACHINES].toSorted());
});

test('every file that makes a Secret is known', () => {
  expect(sourcesLike(/kind: 'Secret',\s+metadata: \{/)).toEqual(KNOWN_MAKERS);
});

test('every function that reads a Secret judges it', () => {
  const readers = sourcesLike(/'Secret'[^]*\.require\(|\.require\([^]*'Secret'/);
  expect(readers).toContain('functions/addons/sources.ts');
  const judging = /whyNotClaimed|whyNotUsed|belongsElsewhere/;
  expect(readers.filter((path) => !judging.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

describe.for(Object.entries(SAYS))('%s', ([place, says]) => {
  test('takes none of the Secrets of Slipway', async () => {
    expect(OWN.length).toBeGreaterThan(30);
    const taken: string[] = [];
    for (const secret of OWN) {
      const name = secret.metadata?.name ?? '';
      // One that the cluster uses already is its own.
      if (place.includes('etcd') && name === 'prod-etcd') continue;
      for (const [run, request] of callsFor(place, says({ name, key: keyOf(secret) }))) {
        const said = await answerTo(run, request, secret);
        if (!said.includes(REFUSED(name))) taken.push(`${name}: ${said.slice(0, 300)}`);
      }
    }
    expect(taken).toEqual([]);
  });

  test('takes no Secret that somebody supplied for the cluster', async () => {
    const name = 'corp-authority';
    const supplied: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name, namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
      data: { 'tls.key': 'ZmFrZQ==' },
    };
    for (const [run, request] of callsFor(place, says({ name, key: 'tls.key' })))
      expect(await answerTo(run, recordingIt(request, name), supplied)).toContain(REFUSED(name));
  });
});
