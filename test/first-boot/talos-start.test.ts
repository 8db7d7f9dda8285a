/** Talos machines in the simulated cloud, with first-boot data and credentials that the functions created. */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { createEngine, type Engine } from '#simulator/engine.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { aBootstrappedCluster, type Bootstrapped, firstBoot, machineOf, type MACHINES } from '../support/first-boot.ts';
import { aRequest, aWorld } from '../support/request.ts';

type Kind = keyof typeof MACHINES;
const NAMESPACE = 'team-a';

async function aTalosCluster(talosVersion: string): Promise<Bootstrapped> {
  const config = { talosVersion };
  return aBootstrappedCluster({ spec: { bootstrap: { provider: 'talos', config } } });
}

/** kubeconfig, talosconfig and ProviderConfig, as the Cluster composes them. */
async function accessTo({ cluster, secrets }: Bootstrapped): Promise<readonly KubeObject[]> {
  const { resources } = (await bootstrap(aRequest({ composite: cluster, observed: secrets }), aWorld())).build();
  return ['kubeconfig', 'talosconfig', 'node-provider-config'].map((key) => resources.get(key)!.resource);
}

async function instance(
  made: Bootstrapped,
  kind: Kind,
  talosVersion: string,
  machineName = kind as string,
): Promise<KubeObject> {
  const initialized = { ...made.cluster.status, controlPlane: { initialized: kind !== 'init' } };
  const cluster = { ...made.cluster, status: initialized } as KubeObject;
  const machine = machineOf(kind, { provisioning: { format: 'talos' } }, { talosVersion }, 'talos');
  const { text } = await firstBoot({ ...made, cluster }, machine);
  return {
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    kind: 'Instance',
    metadata: { name: machineName, namespace: NAMESPACE },
    spec: {
      forProvider: { region: 'eu-west-1', ami: 'a', instanceType: 'm6i.large' },
      initProvider: { userDataBase64: Buffer.from(text).toString('base64') },
    },
  };
}

const ref = (name: string) => ({
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  namespace: NAMESPACE,
  name,
});

function workloadNode(name: string, start?: JsonObject): KubeObject {
  const { apiVersion, kind } = ref(name);
  const spec = { providerConfigRef: { name: 'prod' }, node: { name: `prod-${name}-0-aaaaa` } };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: NAMESPACE },
    spec: { ...spec, ...(start === undefined ? {} : { start }) },
  };
}

const addressOf = (engine: Engine, name: string): string =>
  stringAt(
    engine.get({ apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance', namespace: NAMESPACE, name }),
    'status',
    'atProvider',
    'privateIp',
  ) ?? '';
const startAt = (address: string): JsonObject => ({
  kind: 'Talos',
  secretRef: { name: 'prod-talosconfig', key: 'talosconfig' },
  addresses: [address],
});
const ready = (engine: Engine, name: string) => conditionOf(engine.get(ref(name)), 'Ready');

async function engineWith(...objects: readonly KubeObject[]): Promise<Engine> {
  const start = new Date('2026-01-01T00:00:00Z');
  const engine = createEngine({ clouds: SIMULATED_CLOUDS, start, seed: 1, functions: () => expect.fail('not called') });
  for (const object of objects) engine.apply(object);
  await pass(engine, 120);
  return engine;
}

async function pass(engine: Engine, seconds: number): Promise<void> {
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
}

describe.for(['1.13', '1.14'])('a control plane of Talos %s', (release) => {
  test('starts no cluster until it is called, and then one that the others join', async () => {
    const made = await aTalosCluster(release);
    const access = await accessTo(made);
    const engine = await engineWith(...access, await instance(made, 'init', release), workloadNode('init'));
    await pass(engine, 600);
    expect(engine.snapshot().counters).toMatchObject({ machinesBooted: 1, nodesJoined: 0 });

    engine.apply(workloadNode('init', startAt(addressOf(engine, 'init'))));
    engine.apply(await instance(made, 'control-plane', release));
    engine.apply(await instance(made, 'worker', release));
    for (const name of ['control-plane', 'worker']) engine.apply(workloadNode(name));
    await pass(engine, 400);
    for (const name of ['init', 'control-plane', 'worker'])
      expect(ready(engine, name), name).toMatchObject({ status: 'True' });
    expect(engine.get(ref('init'))?.status).toMatchObject({ started: true, nodeInfo: { kubeletVersion: 'v1.35.4' } });
    expect(engine.snapshot().warnings).toEqual([]);
  });
});

describe('the call', async () => {
  const made = await aTalosCluster('1.13');
  const [kubeconfig, talosconfig, provider] = (await accessTo(made)) as [KubeObject, KubeObject, KubeObject];

  test.for([
    {
      name: 'without credentials',
      given: [],
      why: /waiting for key "talosconfig" of Secret "team-a\/prod-talosconfig"/,
    },
    {
      name: 'with those of another cluster',
      given: [(await accessTo(await aTalosCluster('1.13')))[1]!],
      why: /to accept the call that starts the cluster: tls: bad certificate/,
    },
  ])('$name is not accepted, and the WorkloadNode reports that', async ({ given, why }) => {
    const engine = await engineWith(kubeconfig, provider, ...given, await instance(made, 'init', '1.13'));
    engine.apply(workloadNode('init', startAt(addressOf(engine, 'init'))));
    await pass(engine, 120);
    expect(ready(engine, 'init')).toMatchObject({ status: 'False', reason: 'WaitingForStart' });
    expect(ready(engine, 'init')?.message).toMatch(why);
  });

  test('is tried again while no machine of Talos answers', async () => {
    const engine = await engineWith(kubeconfig, talosconfig, provider, workloadNode('init', startAt('10.9.9.9')));
    expect(ready(engine, 'init')?.message).toMatch(/at 10\.9\.9\.9 .*: connection refused$/);
  });
});
