/** What a first boot downloads and runs as root is what the claim says, whoever serves it. */
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { aCluster } from '../../test/support/claims.ts';
import { aBootstrappedCluster, ENDPOINT, machineOf, machineRequest } from '../../test/support/first-boot.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { everyConfig } from './everything.fixture.ts';
import { run } from './fn.ts';
import { MACHINE_KINDS, plansOf, refusedWith, scriptsIn } from './plans.fixture.ts';
import { BOOTSTRAPPERS } from './registry.ts';
import { bootstrapperTraits } from './traits.ts';

const VERSION = 'v1.35.4';

/** Every provider that downloads what it runs, with the field of the checksum and a claim without it. */
const DOWNLOADS = [
  { provider: 'k0s', field: 'download.sha256', unchecked: { download: {} } },
  { provider: 'k3s', field: 'installer.sha256', unchecked: { installer: {} } },
  { provider: 'rke2', field: 'installer.sha256', unchecked: { installer: {} } },
] as const;

const provided = (provider: string, config: JsonObject): JsonObject => ({ bootstrap: { provider, config } });

describe.for(DOWNLOADS)('$provider without a checksum', async ({ provider, field, unchecked }) => {
  const made = await aBootstrappedCluster({ spec: provided(provider, {}) });
  const init = await aBootstrappedCluster({ spec: provided(provider, {}), initialized: false });
  const is = (kind: string, name: string) =>
    `cannot accept ${kind} "team-a/${name}": spec.bootstrap.config.${field}: is required; accepted: `;

  test.for(MACHINE_KINDS)('%s: no machine is made', async (kind) => {
    const machine = machineOf(kind, {}, unchecked, provider);
    const { code, message } = await refusedWith(machineRequest(kind === 'init' ? init : made, machine));
    expect(code).toBe('InvalidClaim');
    expect(message).toContain(is('Machine', `prod-${kind}-0-aaaaa`));
    expect(message).toContain('install: Skip');
  });

  test('a new cluster is refused before anything of it exists', async () => {
    const claim = aCluster({ spec: provided(provider, unchecked), status: {} });
    const { message } = await refusedWith(aRequest({ composite: claim }));
    expect(message).toContain(is('Cluster', 'prod'));
  });

  test('an image that has it needs none', async () => {
    const config = { ...unchecked, install: 'Skip' };
    const claim = aCluster({ spec: provided(provider, config), status: {} });
    await expect(replyOf(run, aRequest({ composite: claim }))).resolves.toBeDefined();
    const reply = await replyOf(run, machineRequest(made, machineOf('worker', {}, config, provider)));
    expect(reply.context).toHaveProperty(['slipway.dev/bootstrap-plan']);
  });

  test('a cluster from before this rule keeps everything that it has', async () => {
    const before = (config: JsonObject) => ({
      ...made.cluster,
      spec: { ...made.cluster.spec, ...provided(provider, config) },
    });
    const answers = await Promise.all(
      [before(unchecked), before(checkedOf(made.cluster))].map((composite) =>
        replyOf(run, aRequest({ composite, observed: made.secrets })),
      ),
    );
    // Client keys of the kubeconfig are random.
    const [now, checked] = answers.map(({ resources, conditions, status }) => ({
      keys: [...resources.keys()],
      conditions,
      status,
    }));
    expect(now).toEqual(checked);
    expect(now!.keys).toEqual(expect.arrayContaining([...Object.keys(made.secrets), 'kubeconfig']));
  });

  test('so it does while its status is lost, or nothing of it is recorded yet', async () => {
    const composite = aCluster({ spec: provided(provider, unchecked), status: {} });
    const reply = await replyOf(run, aRequest({ composite, observed: made.secrets }));
    expect([...reply.resources.keys()]).toEqual(expect.arrayContaining(Object.keys(made.secrets)));
    const restored = aCluster({
      spec: provided(provider, unchecked),
      status: { controlPlane: { initialized: true }, controlPlaneEndpoint: ENDPOINT },
    });
    await expect(replyOf(run, aRequest({ composite: restored }))).resolves.toBeDefined();
  });

  test('a machine that has its first-boot data is not asked again', async () => {
    const machine = machineOf('worker', {}, unchecked, provider);
    const payload: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'payload', namespace: 'team-a' },
    };
    const reply = await replyOf(run, aRequest({ composite: machine, observed: { payload } }));
    expect(reply.conditions).toContainEqual(expect.objectContaining({ type: 'BootstrapConfigReady', status: 'True' }));
  });
});

/** Programs that fetch something from an address. */
const FETCH = /\b(curl|wget|aria2c|git clone|pip3? install)\b/g;
const CHECK = /\bsha256sum -c\b/g;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const SCRIPTED = Object.keys(BOOTSTRAPPERS).filter(
  (provider) => bootstrapperTraits(provider).plan?.kind === 'scripted',
);

describe.for(SCRIPTED)('%s', (provider) => {
  const { planOf } = plansOf(provider, VERSION);

  test.for(MACHINE_KINDS)('%s: whatever its plan downloads, it compares with a checksum', async (kind) => {
    for (const config of [{}, everyConfig(provider, VERSION)]) {
      const plan = await planOf(kind, { config });
      const { pre, bootstrap, post } = plan.commands;
      const parts = [[...pre, ...bootstrap, ...post].join('\n'), ...scriptsIn(plan)];
      for (const text of parts) expect(count(text, CHECK), text).toBe(count(text, FETCH));
    }
  });
});

test('the providers above are those whose plans download something', async () => {
  const downloading = await Promise.all(
    SCRIPTED.map(async (provider) => {
      const plan = await plansOf(provider, VERSION).planOf('worker');
      const all = [...plan.commands.pre, ...plan.commands.bootstrap, ...scriptsIn(plan)].join('\n');
      return count(all, FETCH) > 0 ? [provider] : [];
    }),
  );
  expect(downloading.flat()).toEqual(DOWNLOADS.map((one) => one.provider));
});

function checkedOf(cluster: KubeObject): JsonObject {
  const bootstrap = cluster.spec?.['bootstrap'];
  const config = isJsonObject(bootstrap) ? bootstrap['config'] : {};
  return isJsonObject(config) ? config : {};
}
