/** Machines of EKS read their data as the real ones do, and join a cluster that runs in the cloud. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import {
  anEksCluster,
  anEksMachine,
  EKS_ENDPOINT,
  EKS_PROVIDERS,
  type EksProvider,
  eksStatus,
} from '../../../test/support/eks.ts';
import { firstBoot } from '../../../test/support/first-boot.ts';
import { Dice } from '../../clock/dice.ts';
import { Scheduler } from '../../clock/scheduler.ts';
import type { MachineFacts, Machines } from '../../cloud/machine.ts';
import type { Journal } from '../../facts/journal.ts';
import { Boot } from '../boot.ts';
import { newCa } from '../../../test/support/booted-machines.ts';
import { readFirstBoot } from '../first-boot/first-boot.ts';
import { WorkloadCluster } from '../workload-cluster.ts';
import { certificateHash } from './certificate-hash.ts';
import { joinPlanOf } from './joining.ts';
import type { Join } from './plan.ts';

const ENDPOINT = `${EKS_ENDPOINT.host}:443`;
const MARKS: JsonObject = {
  labels: { 'example.com/team': 'blue', tier: '' },
  taints: [
    { key: 'dedicated', value: 'blue', effect: 'NoSchedule' },
    { key: 'dedicated', effect: 'NoExecute' },
  ],
};

let ca = '';
let otherCa = '';
beforeAll(async () => {
  [ca, otherCa] = await Promise.all([newCa('kubernetes'), newCa('kubernetes')]);
});

async function userData(provider: EksProvider, spoil: (text: string) => string = (text) => text): Promise<string> {
  const status = { ...eksStatus(), certificateAuthority: Buffer.from(ca).toString('base64') };
  const spec = { ...MARKS, provisioning: { format: provider } };
  const { text } = await firstBoot(anEksCluster(provider, { status }), anEksMachine(provider, spec));
  return Buffer.from(spoil(text)).toString('base64');
}

describe.for(EKS_PROVIDERS)('a machine with %s', (provider) => {
  test('joins with labels and taints, trusts only its own cluster, and sends no token', async () => {
    const plan = joinPlanOf(readFirstBoot(await userData(provider))) as Join;
    expect(plan).toMatchObject({ tool: provider, action: 'join', controlPlane: false, endpoint: ENDPOINT, ...MARKS });
    expect(plan.token).toBeUndefined();
    expect([plan.trusts(ca), plan.trusts(otherCa)]).toEqual([true, false]);
  });

  test.for([
    { name: 'a cluster in the cloud', managed: true, of: () => ca, want: 'Ready' },
    { name: 'a cluster with a control plane of machines', managed: false, of: () => ca, want: /connection refused/ },
    { name: 'a cluster with another authority', managed: true, of: () => otherCa, want: /none of the pinned ones/ },
  ])('$name: $want', async ({ managed, of, want }) => {
    expect(await become(await userData(provider), cluster(of(), managed))).toMatch(want);
  });
});

test.for<readonly [EksProvider, string, (text: string) => string, RegExp]>([
  ['nodeadm', 'no end', (text) => text.slice(0, -4), /NextPart: EOF/],
  [
    'nodeadm',
    'no authority',
    (text) => text.replace('"certificateAuthority"', '"ca"'),
    /certificateAuthority is missing/,
  ],
  ['bottlerocket', 'a group twice', (text) => `${text}\n[settings.network]\n`, /error parsing TOML/],
  ['bottlerocket', 'no endpoint', (text) => text.replace('api-server', 'api'), /api-server is not set/],
])('%s with %s does not become a node', async ([provider, , spoil, want]) => {
  const data = await userData(provider, spoil);
  expect(() => joinPlanOf(readFirstBoot(data))).toThrow(want);
});

function cluster(pem: string, managed: boolean): WorkloadCluster {
  const [caHash, version] = [certificateHash(pem), 'v1.35.4'];
  return new WorkloadCluster({ endpoint: ENDPOINT, ca: pem, caHash, version, firstMachine: '', managed });
}

/** The state of a machine with that user data: Ready, or why it did not become a node. */
async function become(data: string, joined: WorkloadCluster): Promise<string> {
  const clock = new Scheduler(new Date('2026-01-01T00:00:00Z'));
  const machine = { id: 'i-1', kind: 'Instance', running: true, userData: data, owner: { name: 'a', namespace: 'ns' } };
  const failures: string[] = [];
  const boot = new Boot({
    clock,
    dice: new Dice(1),
    journal: { count: () => 0, moment: () => undefined, violation: () => undefined } as unknown as Journal,
    machines: { find: () => machine, answering: () => undefined, secretsOf: () => undefined } as unknown as Machines,
    clusters: new Map([[ENDPOINT, joined]]),
    needsNetwork: true,
    versionOf: () => undefined,
    onFailure: (_, message) => failures.push(message),
    onNodes: () => undefined,
  });
  boot.start(machine as unknown as MachineFacts);
  while (failures.length === 0 && joined.nodes[0]?.ready !== true && (await clock.step()));
  return joined.nodes[0]?.ready === true ? 'Ready' : (failures[0] ?? '');
}
