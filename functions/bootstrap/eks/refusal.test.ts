import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { anEksCluster, anEksMachine, type EksProvider } from '../../../test/support/eks.ts';
import { machineOf, machineRequest } from '../../../test/support/first-boot.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';

const SECRET = 'hunter2';

interface Case {
  readonly name: string;
  readonly provider: EksProvider;
  readonly config?: JsonObject;
  readonly spec?: JsonObject;
  readonly kind?: 'init' | 'control-plane';
}

const both = (name: string, rest: Partial<Case>): readonly Case[] =>
  (['nodeadm', 'bottlerocket'] as const).map((provider) => ({ name: `${provider}: ${name}`, provider, ...rest }));
const nodeadm = (name: string, config: JsonObject): Case => ({ name: `nodeadm: ${name}`, provider: 'nodeadm', config });
const kubelet = (name: string, fields: JsonObject): Case => nodeadm(name, { kubelet: fields });
const bottlerocket = (name: string, config: JsonObject): Case => ({
  name: `bottlerocket: ${name}`,
  provider: 'bottlerocket',
  config,
});

const CASES: readonly Case[] = [
  ...both('a control plane', { kind: 'control-plane' }),
  ...both('an unknown field', { config: { kublet: {} } }),
  ...both('a label value no Node can have', { spec: { labels: { a: 'b,c=d' } } }),
  kubelet('an unknown field of kubelet', { maxPods: 60 }),
  kubelet('taints beside those of the claim', { config: { registerWithTaints: [] } }),
  kubelet('a domain beside that of the Cluster', { config: { clusterDomain: 'example.com' } }),
  kubelet('nothing, since nodeadm sets it', { config: { providerID: 'aws:///x/i-1' } }),
  kubelet('labels as a flag', { flags: ['--v=2', '--node-labels=a=b'] }),
  kubelet('another name', { flags: ['--hostname-override=x'] }),
  kubelet('another cloud', { flags: ['--cloud-provider='] }),
  kubelet('a flag without dashes', { flags: ['v=2'] }),
  kubelet('a flag that would become two', { flags: ['--v=2 --x=1'] }),
  nodeadm('containerd’s configuration that is no TOML', { containerd: { config: `password = ${SECRET}` } }),
  nodeadm('disks in another way', { instance: { localStorage: { strategy: 'RAID5' } } }),
  nodeadm('a variable that is none', { instance: { environment: { default: { 'A B': SECRET } } } }),
  nodeadm('a service that is none', { instance: { environment: { '../x': { A: SECRET } } } }),
  nodeadm('a feature nodeadm does not know', { featureGates: { Other: true } }),
  bottlerocket('a setting that is made of something else', { kubernetes: { 'cluster-name': 'x' } }),
  bottlerocket('labels beside those of the claim', { kubernetes: { 'node-labels': {} } }),
  bottlerocket('a number that is a text', { kubernetes: { 'max-pods': '60' } }),
  bottlerocket('a policy there is none of', { kubernetes: { 'cpu-manager-policy': 'dynamic' } }),
  bottlerocket('a group that is for spec.provisioning', { kernel: { sysctl: {} } }),
  bottlerocket('a command that is none of apiclient', {
    'bootstrap-commands': { a: { commands: [['curl', SECRET]] } },
  }),
];

async function refusalOf({ provider, config, spec, kind }: Case): Promise<SlipwayError> {
  const machine = kind === undefined ? anEksMachine(provider, spec, config) : machineOf(kind, spec, config, provider);
  const outcome = await replyOf(run, machineRequest(anEksCluster(provider), machine)).catch(
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof SlipwayError) return outcome;
  throw new Error(`not refused: ${JSON.stringify(outcome)}`);
}

test('reports each in one line that says what to do, without a secret', async () => {
  const lines: string[] = [];
  for (const given of CASES) {
    const { code, message } = await refusalOf(given);
    expect(message, given.name).toMatch(/^cannot [^\n]+; accepted: [^\n]+$/);
    expect(message).not.toContain(SECRET);
    lines.push(`${given.name}\n  ${code}: ${message}\n`);
  }
  await expect(lines.join('')).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
});

test.for(['nodeadm', 'bottlerocket'] as const)('%s: reads the claim of a Cluster the same way', async (provider) => {
  const { cluster } = anEksCluster(provider, { config: { kublet: {} } });
  const request = machineRequest({ cluster, secrets: {} }, cluster);
  await expect(replyOf(run, request)).rejects.toThrow(/cannot accept Cluster "team-a\/prod": spec\.bootstrap\.config/);
});
