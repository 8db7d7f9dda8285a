/**
 * Every ✔ of `slipway matrix` is tested: the names of these tests say which official validator accepted the first-boot
 * data of which pair (once with the minimum, once with everything a claim can say), and which is missing on this
 * machine.
 */
import { describe, expect, test } from 'vitest';
import { multipart } from '../../functions/provisioning/nodeadm/mime.ts';
import type { FirstBootData } from './first-boot-data.ts';
import { JUDGES } from './judges.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { renderedOf } from './rendered.ts';

const made = new Map<string, Promise<readonly FirstBootData[]>>();

function dataOf(pair: Pair): Promise<readonly FirstBootData[]> {
  const found = made.get(pair.name) ?? renderedOf(pair);
  made.set(pair.name, found);
  return found;
}

test.for(PAIRS)('$name has a judge that reads its format', ({ format }) => {
  expect(JUDGES.filter(({ reads }) => reads === format).map(({ name }) => name)).not.toEqual([]);
});

for (const { name, missing } of JUDGES)
  if (missing !== undefined) process.stdout.write(`skipped: ${name}: ${missing}\n`);

describe.for(PAIRS)('$name', (pair) => {
  const judges = JUDGES.filter((judge) => judge.judges(pair));
  for (const judge of judges)
    test.skipIf(judge.missing !== undefined)(`${judge.name} accepts its first-boot data`, async () => {
      const findings = judge.verdict(await dataOf(pair));
      expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(findings.length, 'it did look').toBeGreaterThan(0);
    });
});

const SCRIPT = '#!/bin/sh\nif [ $1 = a ]\n';
const UNIT = '[Service]\nExecStart=/bin/true\nRestrat=no\n';
const encoded = (text: string): string => `data:;base64,${Buffer.from(text).toString('base64')}`;

/** By `spec.provisioning.format`: data, script, unit and files of bootstrappers are all invalid. */
const WRONG: Readonly<Record<string, FirstBootData>> = {
  'cloud-init': {
    of: 'init, with nothing right',
    format: 'cloud-config',
    text: `#cloud-config\n${JSON.stringify({
      runcmd: { a: 1 },
      write_files: [
        { path: '/opt/a.sh', content: SCRIPT },
        { path: '/etc/systemd/system/a.service', content: UNIT },
        { path: '/etc/kubernetes/kubeadm.yaml', content: 'kind: InitConfiguration' },
        { path: '/etc/rancher/k3s/config.yaml', content: 'token: a\nno-such-flag: true' },
        { path: '/etc/rancher/rke2/config.yaml', content: 'token: a\nno-such-flag: true' },
        { path: '/etc/slipway/k8s.yaml', content: 'no-such-key: true' },
        { path: '/etc/k0s.yaml', content: 'kind: ClusterConfig\nspec: {network: {coreDNS: {}}}' },
      ],
    })}\n`,
  },
  ...Object.fromEntries(
    Object.entries({ ignition: '3.3.0', 'ignition-2.3': '2.3.0' }).map(([format, version]) => {
      const files = [{ path: '/opt/a.sh', mode: 420, contents: { source: encoded(SCRIPT) } }];
      const units = [{ name: 'a.service', contents: UNIT }];
      const text = JSON.stringify({ ignition: { version }, runcmd: [], storage: { files }, systemd: { units } });
      return [format, { of: 'worker', format: 'ignition', text }];
    }),
  ),
  nodeadm: {
    of: 'worker',
    format: 'nodeadm',
    text: multipart([
      { contentType: 'application/node.eks.aws', text: '{"apiVersion":"node.eks.aws/v1alpha1","kind":"Other"}' },
      { contentType: 'text/cloud-config', text: '#cloud-config\nruncmd: {a: 1}\n' },
    ]),
  },
  bottlerocket: { of: 'worker', format: 'bottlerocket', text: '[settings.kubernetes]\nmax-pods = "60"\n' },
  talos: { of: 'worker', format: 'talos', text: 'version: v1alpha1\nmachine:\n  tpye: worker\n' },
};

test.for(JUDGES.filter(({ missing }) => missing === undefined))('$name refuses invalid data', (judge) => {
  const pair = PAIRS.find((one) => judge.judges(one) && WRONG[one.format] !== undefined);
  const findings = judge.verdict([WRONG[pair?.format ?? '']!]);
  expect(findings.length).toBeGreaterThan(0);
  for (const { where, problem } of findings) expect(problem, where).toMatch(/./);
});
