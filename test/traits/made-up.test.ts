/** Every trait of a new bootstrapper and a new format has its effect everywhere, with no code outside their folders. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { decodePayload } from '../../cli/payload/decode.ts';
import { firstBootMask } from '../../cli/payload/mask.ts';
import { run as bootstrapStep } from '../../functions/bootstrap/fn.ts';
import { call as clusterStep, aClaim, live } from '../../functions/cluster/cluster.fixture.ts';
import { generatedFiles } from '../../generate/files.ts';
import { ignored, updated } from '../../generate/update-rules/updaters.ts';
import {
  aMachine,
  anInput,
  aPayload,
  call as machineStep,
  CONTROL_PLANE,
  HANDED_OVER,
  play,
  WORLD,
} from '../../functions/machine/machine.fixture.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { groupOf, request as aPoolRequest } from '../../functions/nodepool/pool.fixture.ts';
import { trusting } from '../../functions/provisioning/trust.ts';
import { claimOf } from '../matrix/claim.ts';
import { simulate } from '../matrix/simulation.ts';
import { aCluster, aNodePool } from '../support/claims.ts';
import { replyOf } from '../support/function-laws.ts';
import { inProcess } from '../support/in-process.ts';
import { aRequest } from '../support/request.ts';
import { addMadeUp, DATA, FORMAT, PROGRAMS, PROVIDER, removeMadeUp } from './made-up.ts';

beforeAll(addMadeUp);
afterAll(removeMadeUp);

const bootstrap = (config: JsonObject = {}): JsonObject => ({ provider: PROVIDER, config });
const ELSEWHERE: JsonObject = { store: { elsewhere: { at: 'etcd.example.com' } } };

async function withTraits(traits: Partial<typeof DATA>, test: () => Promise<void>): Promise<void> {
  const before = { ...DATA };
  Object.assign(DATA, traits);
  try {
    await test();
  } finally {
    Object.assign(DATA, before);
  }
}

const keysOf = (reply: { readonly resources: ReadonlyMap<string, unknown> }): readonly string[] => [
  ...reply.resources.keys(),
];

describe('a cluster of a made-up bootstrapper', () => {
  const claim = (config?: JsonObject, status?: JsonObject) => aClaim({ bootstrap: bootstrap(config) }, status);

  it('has its join ports on the load balancer, and open', async () => {
    const reply = await clusterStep({ claim: claim() });
    expect(reply.resources.get('listener-gossip')?.resource.spec).toMatchObject({ forProvider: { port: 7946 } });
    expect(keysOf(reply)).toContain('ingress-controlplane-gossip-node');
  });

  it('has its pod traffic open, and not that of others', async () => {
    const keys = keysOf(await clusterStep({ claim: claim() }));
    expect(keys).toContain('ingress-node-geneve-controlplane');
    expect(keys.filter((key) => /-(bgp|vxlan)-/.test(key))).toEqual([]);
  });

  it('does not leave the rules of its traffic to another cluster, but unknown rules stay', async () => {
    const rules = (await clusterStep({ claim: claim() })).resources;
    const key = 'ingress-node-geneve-controlplane';
    const observed = { [key]: live(rules.get(key)!.resource) };
    expect(keysOf(await clusterStep({ observed }))).not.toContain(key);
    removeMadeUp();
    try {
      expect(keysOf(await clusterStep({ observed }))).toContain(key);
    } finally {
      addMadeUp();
    }
  });

  it('needs no majority of its control plane with external etcd', async () => {
    const available = async (config: JsonObject) => {
      const pool = {
        apiVersion: 'slipway.dev/v1alpha1',
        kind: 'NodePool',
        metadata: { name: 'prod-control-plane', namespace: 'team-a' },
        status: { initialized: true, replicas: 3, readyReplicas: 1, upToDateReplicas: 3 },
      };
      const { conditions } = await clusterStep({ claim: claim(config), observed: { 'control-plane': pool } });
      return conditions.find(({ type }) => type === 'ControlPlaneAvailable')?.status;
    };
    expect(await available({})).toBe('False');
    expect(await available(ELSEWHERE)).toBe('True');
  });
});

describe('an unknown bootstrapper', () => {
  test.for(['tiny', 'constructor'])('has the defaults: %s', async (provider) => {
    const keys = keysOf(await clusterStep({ claim: aClaim({ bootstrap: { provider } }) }));
    expect(keys.filter((key) => key.startsWith('listener-'))).toEqual(['listener-api']);
    expect(keys).toContain('ingress-node-ip-in-ip-controlplane');
    const machine = aMachine({ ...CONTROL_PLANE, bootstrap: { provider, action: 'Join', config: {} } });
    const { replies } = await play({ machine }, WORLD.untouched, WORLD.created, WORLD.running);
    expect(at(replies.at(-1)?.resources.get('node')?.resource, 'spec', 'membership')).toBeUndefined();
  });
});

test.for([
  { config: {}, quorum: true },
  { config: ELSEWHERE, quorum: false },
])('a pool of its control planes keeps a quorum of etcd only where etcd runs: $quorum', async ({ config, quorum }) => {
  const { certificates: _none, ...status } = aCluster().status!;
  const cluster = aCluster({ spec: { bootstrap: bootstrap(config) }, status });
  const pool = aNodePool({ spec: { role: 'control-plane' } });
  expect(groupOf(await replyOf(nodepool, aPoolRequest({ pool, cluster }))).quorum).toBe(quorum);
});

describe('a machine of a made-up bootstrapper', () => {
  const isMember = async (spec: JsonObject): Promise<boolean> => {
    const machine = aMachine({ ...spec });
    const { replies } = await play({ machine }, WORLD.untouched, WORLD.created, WORLD.running);
    return at(replies.at(-1)?.resources.get('node')?.resource, 'spec', 'membership') !== undefined;
  };

  test.for([
    { of: 'a control plane leaves etcd first', role: CONTROL_PLANE, config: {}, member: true },
    { of: 'one whose etcd is elsewhere is no member', role: CONTROL_PLANE, config: ELSEWHERE, member: false },
    { of: 'nor is a worker', role: {}, config: {}, member: false },
  ])('$of', async ({ role, config, member }) => {
    expect(await isMember({ ...role, bootstrap: { ...bootstrap(config), action: 'Join' } })).toBe(member);
  });
});

test('versions without nodes are refused by its table', async () => {
  const machine = aMachine({ version: 'v1.32.9', bootstrap: { ...bootstrap(), action: 'Join' } });
  const refused = replyOf(bootstrapStep, aRequest({ composite: machine, required: { cluster: [aCluster()] } }));
  await expect(refused).rejects.toThrow(
    /: spec.version: "v1.32.9" is not accepted; accepted: v1.33 to v1.37 with made-up$/,
  );
});

describe('the update rules', () => {
  const when = (path: string) => updated().find((rule) => rule.path === path)?.when ?? '';

  it('let its version be updated to a newer patch version', () => {
    expect(when('spec.version')).toContain(`resource.spec.bootstrap.provider in ['kubeadm', '${PROVIDER}']`);
  });

  it('keep its machines when only the source of their programs changes', () => {
    expect(ignored()).toContainEqual(
      expect.objectContaining({
        path: 'spec.bootstrap.config.mirror',
        when: `resource.spec.bootstrap.provider == '${PROVIDER}'`,
      }),
    );
  });

  it('run no script on its hosts, which have no shell', () => {
    const without = `!(resource.spec.bootstrap.provider in ['bottlerocket', '${PROVIDER}', 'talos'])`;
    expect(when('spec.provisioning.sysctls')).toContain(without);
  });
});

test('its settings are published, without a line elsewhere', () => {
  const files = generatedFiles();
  expect(files.get('docs/bootstrap-config/made-up.md')).toMatch(
    /^\| `gossip` \| the cluster \| integer from 1 \| `3` +\| Neighbours each node talks to. \|$/m,
  );
  expect(JSON.parse(files.get('docs/bootstrap-config/made-up.schema.json') ?? '{}')).toMatchObject({
    definitions: { config: { properties: { gossip: { type: 'integer', minimum: 1, default: 3 } } } },
  });
  const index = files.get('docs/bootstrap-config/README.md');
  expect(index).toMatch(/^\| \[made-up\]\(made-up\.md\) +\| Words that nobody else has\. +\|/m);
  expect(files.get('docs/matrix.md')).toMatch(/^\| made-up +\|/m);
});

test('the container runtime is restarted when a host trusts other certificates', () => {
  expect(trusting(['-----BEGIN CERTIFICATE-----'])).toMatch(/^for unit in containerd crio .*made-up-pull; do$/m);
});

describe('first-boot data of a made-up format', () => {
  const context = aPayload('lines\n', { format: DATA.payload });

  it('is handed over as a secret, because the host can fetch it as a whole', async () => {
    expect(keysOf(await machineStep({ context, input: HANDED_OVER }))).toContain('first-boot-data');
  });

  it('is in user data if it cannot be fetched and has no join secrets', async () => {
    await withTraits({ fetchedWhole: false }, async () => {
      const reply = await machineStep({ context, input: HANDED_OVER });
      expect(keysOf(reply)).not.toContain('first-boot-data');
      expect(JSON.stringify(reply.conditions)).toContain(
        `format ${DATA.payload} cannot fetch it from elsewhere; it contains no join secret`,
      );
    });
  });

  it('is refused if it cannot be fetched and has join secrets, unless the platform allows it', async () => {
    const machine = aMachine({ provisioning: { format: FORMAT } });
    await withTraits({ fetchedWhole: false, joinSecrets: true }, async () => {
      await expect(machineStep({ context, machine, input: HANDED_OVER })).rejects.toMatchObject({
        code: 'Unsupported',
      });
      const reply = await machineStep({ context, machine, input: anInput({ aws: { allowInClear: [FORMAT] } }) });
      expect(keysOf(reply)).not.toContain('first-boot-data');
      expect(JSON.stringify(reply.conditions)).toContain(`Secrets Manager cannot deliver format ${DATA.payload}`);
    });
  });

  it('is read by slipway payload according to its type', () => {
    const file = { path: '/a', encoding: 'b64', content: Buffer.from('readable').toString('base64') };
    const text = `#cloud-config\nwrite_files: ${JSON.stringify([file])}\n`;
    expect(decodePayload(Buffer.from(text), DATA.payload, firstBootMask([])).text).toContain('readable');
    expect(decodePayload(Buffer.from(text), 'unheard-of', firstBootMask([])).text).not.toContain('readable');
  });
});

test('its cluster is created if images have its programs, and only then', async () => {
  Object.assign(DATA, { fetchedWhole: false });
  const claim = claimOf({ name: PROVIDER, provider: PROVIDER, format: FORMAT });
  try {
    const { engine, ready } = await simulate(claim, inProcess, undefined, undefined, PROGRAMS);
    expect(ready, JSON.stringify(engine.snapshot().timeline.slice(-3))).toBe(true);
    expect(engine.snapshot()).toMatchObject({ violations: [], counters: { nodesJoined: 4 } });
    const nodes = engine.list({ apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode' });
    const members = nodes.filter((node) => at(node, 'spec', 'membership') !== undefined);
    expect(members.map(({ metadata }) => metadata?.labels?.[LABEL.role])).toEqual(Array(3).fill('control-plane'));
    expect(engine.list({ apiVersion: 'v1', kind: 'Secret' }).map((one) => stringAt(one, 'data', 'format'))).toContain(
      Buffer.from(DATA.payload).toString('base64'),
    );
    const bare = await simulate(claim, inProcess, undefined, 900);
    expect(bare.ready).toBe(false);
  } finally {
    Object.assign(DATA, { fetchedWhole: true });
  }
});
