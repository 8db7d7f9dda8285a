import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { aRequest } from '../../test/support/request.ts';
import { aMachine } from '../../test/support/claims.ts';
import { aPlan, aPlanFile, aRenderRequest, replyTo } from './plan.fixture.ts';

/** Used wherever a claim could contain a secret. */
const SECRET = 'hunter2';
const file = (parts: JsonObject): JsonObject => ({ files: [{ path: '/etc/motd', content: SECRET, ...parts }] });
const input = (fields: JsonObject): JsonObject => ({
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'ProvisioningInput',
  ...fields,
});

const MIRRORS = [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }];
const UNIT = { name: 'exporter.service', contents: `[Service]\nEnvironment=PASSWORD=${SECRET}\n` };
const UNIT_FILE = '/etc/systemd/system/exporter.service';
const disk = (partitions: JsonObject[]) => ({ disks: [{ device: '/dev/nvme1n1', partitions }] });
const raw = (fields: JsonObject): JsonObject => ({ raw: { 'cloud-init': fields } });

const CASES = [
  { name: 'an unknown format', request: aRenderRequest({ format: 'afterburn' }) },
  { name: 'a format named like a property of every object', request: aRenderRequest({ format: 'constructor' }) },
  { name: 'a format that is not a string', request: aRenderRequest({ format: 'Cloud Init' }) },
  { name: 'an unknown field', request: aRenderRequest({ command: { pre: [SECRET] } }) },
  { name: 'a file in a folder that is lost at boot', request: aRenderRequest(file({ path: '/run/motd' })) },
  { name: 'a file without a leading slash', request: aRenderRequest(file({ path: 'etc/motd' })) },
  { name: 'an invalid mode', request: aRenderRequest(file({ mode: '644' })) },
  {
    name: 'content that is not in its encoding',
    request: aRenderRequest(file({ encoding: 'base64', content: `${SECRET}!` })),
  },
  { name: 'an invalid command', request: aRenderRequest({ commands: { pre: [{ run: SECRET }] } }) },
  {
    name: 'a password instead of its hash',
    request: aRenderRequest({ users: [{ name: 'Ops', passwordHash: 7 }] }),
  },
  {
    name: 'one path twice',
    request: aRenderRequest({
      files: [
        { path: '/etc/motd', content: SECRET },
        { path: '/etc//motd', content: SECRET },
      ],
    }),
  },
  {
    name: 'a path that the bootstrap step writes',
    request: aRenderRequest(
      { files: [{ path: '/etc/kubernetes/kubeadm.yaml', content: SECRET }] },
      aPlan({ files: [aPlanFile('/etc/kubernetes/kubeadm.yaml', SECRET)] }),
    ),
  },
  { name: 'the path of the script', request: aRenderRequest(file({ path: '/etc/slipway/bootstrap.sh' })) },
  { name: 'kernel arguments', request: aRenderRequest({ kernelArguments: [`fake.password=${SECRET}`] }) },
  { name: 'mirrors of registries that the plan does not handle', request: aRenderRequest({ registries: MIRRORS }) },
  { name: 'two partitions that are the rest of the disk', request: aRenderRequest(disk([{}, {}])) },
  { name: 'two partitions of one name', request: aRenderRequest(disk([{ label: 'a', sizeMiB: 9 }, { label: 'a' }])) },
  {
    name: 'one disk twice',
    request: aRenderRequest({ disks: [...disk([{}]).disks, ...disk([{}]).disks] }),
  },
  {
    name: 'two mounts at one mount point',
    request: aRenderRequest({
      mounts: [
        { device: 'LABEL=a', path: '/var/lib/data' },
        { device: 'LABEL=b', path: '/var/lib/data' },
      ],
    }),
  },
  {
    name: 'a unit that is also a file of the claim',
    request: aRenderRequest({ ...file({ path: UNIT_FILE }), units: [UNIT] }),
  },
  { name: 'a proxy that is not a URL', request: aRenderRequest({ proxy: { http: `${SECRET} proxy` } }) },
  { name: 'a raw field of cloud-init that is already set', request: aRenderRequest(raw({ runcmd: [SECRET] })) },
  { name: 'a raw field of another format', request: aRenderRequest({ raw: { ignition: { storage: SECRET } } }) },
  {
    name: 'a plan that needs something the format cannot install',
    request: aRenderRequest({ format: 'ignition' }, aPlan({ provider: 'microk8s', needs: ['snapd'] })),
  },
  { name: 'a plan of an unknown kind', request: aRenderRequest({}, { contract: 1, kind: 'talos', config: SECRET }) },
  { name: 'a plan of another contract version', request: aRenderRequest({}, { ...aPlan(), contract: 2 }) },
  {
    name: 'a plan whose file is lost at boot',
    request: aRenderRequest({}, aPlan({ files: [aPlanFile('/run/kubeadm/kubeadm.yaml', SECRET)] })),
  },
  { name: 'a plan whose sentinel is lost at boot', request: aRenderRequest({}, aPlan({ sentinel: '/tmp/done' })) },
  {
    name: 'a plan whose content is not base64',
    request: aRenderRequest({}, aPlan({ files: [{ ...aPlanFile('/etc/motd', ''), content: `${SECRET}!` }] })),
  },
  { name: 'a plan that is a string', request: aRenderRequest({}, SECRET) },
  {
    name: 'a plan without a command',
    request: aRenderRequest({}, aPlan({ commands: { pre: [], bootstrap: [], post: [] } })),
  },
  { name: 'a typo in the input', request: { ...aRenderRequest(), input: input({ tll: '1m' }) } },
  { name: 'another kind of input', request: { ...aRenderRequest(), input: input({ kind: 'BootstrapInput' }) } },
  { name: 'an invalid Machine', request: aRequest({ composite: { ...aMachine(), spec: {} } }) },
];

async function refusalOf({ request }: (typeof CASES)[number]): Promise<SlipwayError> {
  const outcome = await replyTo(request).catch((thrown: unknown) => thrown);
  if (outcome instanceof SlipwayError) return outcome;
  throw new Error(`not refused: ${String(outcome)}`);
}

test.for(CASES)('$name is refused in one line without a secret', async (given) => {
  const { message } = await refusalOf(given);
  expect(message).toMatch(/^cannot accept [^\n]+$/);
  expect(message).not.toContain(SECRET);
});

test('every message says what to do', async () => {
  const lines = await Promise.all(
    CASES.map(async (given) => {
      const { code, message } = await refusalOf(given);
      return `${given.name}\n  ${code}: ${message}\n`;
    }),
  );
  await expect(lines.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
});
