/** Machines with k3s and RKE2 read their data as the real ones do, and refuse what those refuse. */
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { aBootstrappedCluster, type Bootstrapped, firstBoot, machineOf } from '../../../test/support/first-boot.ts';
import { readFirstBoot } from '../first-boot/first-boot.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import { joinPlanOf } from './joining.ts';
import type { Join } from './plan.ts';

const PROVIDERS = ['k3s', 'rke2'] as const;
type Provider = (typeof PROVIDERS)[number];
type Kind = Parameters<typeof machineOf>[0];

const boots = new Map<string, FirstBoot>();
const authorities = new Map<string, string>();

beforeAll(async () => {
  for (const provider of PROVIDERS) {
    for (const [kind, initialized] of [
      ['init', false],
      ['control-plane', true],
      ['worker', true],
    ] as const) {
      const cluster = await aBootstrappedCluster({ spec: { bootstrap: { provider } }, initialized });
      const spec = { labels: { team: 'blue' }, taints: [{ key: 'a', effect: 'NoSchedule' }] };
      const { text } = await firstBoot(cluster, machineOf(kind, spec, {}, provider));
      boots.set(`${provider} ${kind}`, readFirstBoot(Buffer.from(text).toString('base64')));
      authorities.set(`${provider} ${kind}`, authorityOf(cluster));
    }
  }
});

function authorityOf({ secrets }: Bootstrapped): string {
  return Buffer.from(stringAt(secrets['ca'], 'data', 'tls.crt') ?? '', 'base64').toString();
}

const bootOf = (provider: Provider, kind: Kind) => boots.get(`${provider} ${kind}`) ?? { files: [], text: '' };

function joined(boot: FirstBoot): Join {
  const plan = joinPlanOf(boot);
  if (plan.action === 'join') return plan;
  throw new Error('it starts a cluster');
}

/** The same data with other settings, and without files whose path has that ending. */
function changed(boot: FirstBoot, settings: JsonObject, without = '\n'): FirstBoot {
  const files = boot.files.flatMap(({ path, content }) => {
    if (path.endsWith(without)) return [];
    if (!path.endsWith('/config.yaml')) return [{ path, content }];
    const merged = Object.entries({ ...(parse(content) as JsonObject), ...settings });
    return [{ path, content: stringify(Object.fromEntries(merged.filter(([, value]) => value !== null))) }];
  });
  return { ...boot, files };
}

describe.for(PROVIDERS)('%s', (provider) => {
  const release = { k3s: 'k3s1', rke2: 'rke2r1' }[provider];

  test.for(['init', 'control-plane', 'worker'] as const)('%s: the node matches its Machine', (kind) => {
    expect(joinPlanOf(bootOf(provider, kind))).toMatchObject({
      action: kind === 'init' ? 'init' : 'join',
      tool: `${provider} ${kind === 'worker' ? 'agent' : 'server'}`,
      endpoint: 'api.example.com:6443',
      nodeName: `prod-${kind}-0-aaaaa`,
      labels: { team: 'blue' },
      taints: [{ key: 'a', effect: 'NoSchedule' }],
      version: `v1.35.4+${release}`,
    });
  });

  test.for(['control-plane', 'worker'] as const)('%s: it trusts only the authority of its own cluster', (kind) => {
    const plan = joined(bootOf(provider, kind));
    const own = authorities.get(`${provider} ${kind}`) ?? '';
    const other = authorities.get(`${provider} init`) ?? '';
    expect([plan.trusts(own), plan.trusts(other), plan.trusts(`${own}\n`)]).toEqual([true, false, false]);
    expect(plan.by).toBe(provider === 'k3s' ? 'api.example.com:6443' : 'api.example.com:9345');
  });

  test('a token without a hash would trust any cluster', () => {
    const plan = joined(changed(bootOf(provider, 'worker'), { token: 'fakefakefakefake' }));
    expect(plan.trusts('anybody')).toBe(true);
  });

  test('agents use their own token, which the first server received', () => {
    const [server, agent] = [joined(bootOf(provider, 'control-plane')), joined(bootOf(provider, 'worker'))];
    expect(server.token).toMatch(/^server:/);
    expect(agent.token).toMatch(/^node:/);
    expect(joinPlanOf(bootOf(provider, 'init'))).toMatchObject({ tokens: [server.token, agent.token] });
  });

  test.for<readonly [string, Kind, JsonObject, string | undefined, RegExp]>([
    ['without its authority', 'init', {}, '/server/tls/server-ca.crt', /server-ca\.crt is not among the files/],
    ['without that of clients', 'init', {}, '/server/tls/client-ca.crt', /client-ca\.crt is not among the files/],
    ['under no name', 'init', { 'tls-san': [] }, undefined, /tls-san names no endpoint/],
    ['with another’s hash', 'init', { token: `K10${'0'.repeat(64)}::server:fake` }, undefined, /hash does not match/],
    ['without a token', 'worker', { token: null }, undefined, /invalid token format/],
    ['an agent without a server', 'worker', { server: null }, undefined, /agent: --server is required/],
    [
      'a server with an agent’s token',
      'control-plane',
      { token: 'node:fake' },
      undefined,
      /agent's token makes no server/,
    ],
  ])('%s it does not become a node', ([, kind, settings, without, want]) => {
    expect(() => joinPlanOf(changed(bootOf(provider, kind), settings, without))).toThrow(want);
  });
});

test('no second server can join k3s without etcd', () => {
  expect(() => joinPlanOf(changed(bootOf('k3s', 'init'), { 'cluster-init': null }))).toThrow(/cluster-init/);
});
