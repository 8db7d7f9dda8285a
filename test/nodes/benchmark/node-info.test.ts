/** What a machine says: read by the very commands, here on this host with files of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../../judges/run.ts';
import { asksOf } from './asks.ts';
import { nodeInfo } from './node-info.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-node-info-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'ca.crt'), '', { mode: 0o640 });
writeFileSync(join(folder, 'ca.key'), '', { mode: 0o600 });

const command = (key: string, nodeType: string, audit: string, platforms = ['k8s']) =>
  JSON.stringify([{ key, nodeType, audit, platforms }]);
const ASKS = asksOf({
  'commands/config/node.yaml': JSON.stringify({
    node: { kubelet: { cafile: ['/nowhere/ca.crt', join(folder, 'ca.crt')], bins: ['no-such-program'] } },
  }),
  // As Trivy's own file has it, with a quotation mark too many.
  'commands/config/kubelet_mapping.yaml':
    'events: kubeletconfig.eventRecordQPS",\nsuites: kubeletconfig.suites\nquiet: kubeletconfig.quiet\n',
  'commands/kubernetes/mode.yaml': command('mode', 'worker', 'stat -c %a $kubelet.cafile'),
  'commands/kubernetes/listed.yaml': command('listed', 'master', 'ls -R $kubelet.cafile | tail -n 2'),
  'commands/kubernetes/other.yaml': command('other', 'worker', 'exit 1', ['rke2']),
  'commands/kubernetes/fails.yaml': command('fails', 'worker', 'stat -c %a /nowhere/$kubelet.bins'),
  ...Object.fromEntries(
    ['events', 'suites', 'quiet', 'flag'].map((key) => [
      `commands/kubernetes/${key}.yaml`,
      command(key, 'worker', 'echo 5,false,word'),
    ]),
  ),
  controls: JSON.stringify({
    spec: {
      controls: [
        { id: 2.1, checks: [{ id: 'KCV-0042' }] },
        { id: '4.2.8', checks: [{ id: 'KCV-0087' }] },
        { id: '5.1', checks: null },
      ],
    },
  }),
});
const run = (script: string): Promise<string> => Promise.resolve(runCommand('sh', ['-s'], { input: script }).output);
const CONFIGZ = { kubeletconfig: { eventRecordQPS: 50, suites: ['A', 'B'] } };
const valuesOf = async (controlPlane: boolean): Promise<Record<string, unknown>> => {
  const { info } = await nodeInfo({ name: 'one', controlPlane, run }, ASKS, CONFIGZ);
  return Object.fromEntries(
    Object.entries(info as Record<string, { values: unknown }>).map(([key, { values }]) => [key, values]),
  );
};

it('has modes of files as numbers, the first path that exists, and nothing where a command fails', async () => {
  expect(await valuesOf(false)).toMatchObject({ mode: [640], fails: [], flag: [5, 'false', 'word'] });
});

it('takes the word of the kubelet where it says something, otherwise its flags', async () => {
  expect(await valuesOf(false)).toMatchObject({ events: [50], suites: ['A', 'B'], quiet: [5, 'false', 'word'] });
});

it('lists the folder of a file', async () => {
  expect(await valuesOf(true)).toMatchObject({ listed: ['ca.crt', 'ca.key'] });
});

it('asks a worker nothing that is for control planes, and nobody what is for another distribution', async () => {
  expect(Object.keys(await valuesOf(false)).toSorted()).toEqual(['events', 'fails', 'flag', 'mode', 'quiet', 'suites']);
  expect(Object.keys(await valuesOf(true))).toContain('listed');
});

it('knows the number of each check', () => {
  expect([...ASKS.controls]).toEqual([
    ['KCV-0042', '2.1'],
    ['KCV-0087', '4.2.8'],
  ]);
});
