import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Payload } from '#lib/api/contracts/payload.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { at, type Json, type JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { EVERY_NODEADM_PROVISIONING } from './everything.fixture.ts';
import { filesOf } from '../../../test/support/first-boot.ts';
import { expectIdempotent, expectPure } from '../../../test/support/function-laws.ts';
import { partOf, partsOf } from '../../../test/support/mime.ts';
import { run } from '../fn.ts';
import { aNodeadmPlan, aPlanFile, aRenderRequest, rendered, replyTo } from '../plan.fixture.ts';
import { type Refused, refusalsOf, SECRET } from '../refusals.fixture.ts';
import { boundaryOf, multipart } from './mime.ts';
import { nodeadm } from './nodeadm.ts';

const NODE_CONFIG = 'application/node.eks.aws';
const CLOUD_CONFIG = 'text/cloud-config';

/** A plan like that of our bootstrap step. */
const PLAN = aNodeadmPlan({
  files: [{ ...aPlanFile('/etc/containerd/certs.d/docker.io/hosts.toml', '[host]\n') }],
  carries: ['registries'],
});

const claim = (fields: JsonObject): JsonObject => ({ format: 'nodeadm', ...fields });
const textOf = (fields: JsonObject = {}, plan = PLAN): Promise<string> => rendered(claim(fields), plan);

describe('the user data of a machine with nodeadm', () => {
  test('contains everything a claim can say', async () => {
    const text = await textOf(EVERY_NODEADM_PROVISIONING);
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'golden/everything.txt'));
  });

  test('contains only the plan and the name of the host, when the claim says nothing', async () => {
    await expect(await textOf()).toMatchFileSnapshot(join(import.meta.dirname, 'golden/plain.txt'));
    const { context } = await replyTo(aRenderRequest(claim({}), PLAN));
    expect(Payload.parse(context[CONTEXT.payload])).toMatchObject({
      format: 'nodeadm',
      contentType: 'multipart/mixed',
      gzip: true,
    });
  });

  test('contains every field of a claim, so that none is silently ignored', async () => {
    const plain = await textOf();
    const said = Object.keys(Provisioning.shape).filter(
      (name) => !['format', ...Object.keys(nodeadm.limits)].includes(name),
    );
    for (const field of said)
      expect(await textOf({ [field]: EVERY_NODEADM_PROVISIONING[field]! }), field).not.toBe(plain);
  });

  test('sets the proxy for nodeadm itself, too, because it asks EC2 before any file is written', async () => {
    const text = await textOf({ proxy: { https: 'http://proxy.example.com:3128' } });
    const config = JSON.parse(partOf(text, NODE_CONFIG)) as JsonObject;
    expect(at(config, 'spec', 'instance', 'environment', 'default')).toMatchObject({
      HTTPS_PROXY: 'http://proxy.example.com:3128',
      NO_PROXY: 'localhost,127.0.0.1,::1,169.254.169.254,metadata.google.internal,10.244.0.0/16,.svc',
    });
  });

  test('starts the kubelet only after the settings of the claim, and never after a failure', async () => {
    const text = await textOf();
    const sentinel = /AssertPathExists=%s\\n' (\S+)/.exec(partOf(text, 'text/cloud-boothook'))?.[1];
    const { runcmd } = parse(partOf(text, CLOUD_CONFIG)) as { runcmd: unknown };
    expect(runcmd).toEqual([['/bin/sh', '/etc/slipway/bootstrap.sh']]);
    const script = filesOf(partOf(text, CLOUD_CONFIG)).find(({ path }) => path.endsWith('/bootstrap.sh'));
    const lines = script?.bytes.toString().trimEnd().split('\n') ?? [];
    expect([lines.find((line) => line.startsWith('s=')), lines.at(-1)]).toEqual([`s=${sentinel}`, ': >"$s"']);
  });

  test('is the same bytes for equal claims and plans, whatever the order of their keys', async () => {
    const reversed = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).toReversed());
    const { config, ...rest } = PLAN;
    const other = { ...reversed(rest), config: reversed(config as JsonObject) };
    expect(await textOf(reversed(EVERY_NODEADM_PROVISIONING), other)).toBe(await textOf(EVERY_NODEADM_PROVISIONING));
  });

  test('holds the laws of every function', async () => {
    const request = aRenderRequest(claim(EVERY_NODEADM_PROVISIONING), PLAN);
    await expectPure(run, request);
    await expectIdempotent(run, request);
  });
});

const UNSAID: Readonly<Record<string, Json>> = {
  kernelArguments: ['hugepages=512'],
  registries: [{ host: 'docker.io', mirrors: ['https://mirror.example.com'] }],
};

const REFUSED: readonly Refused[] = [
  ...Object.entries(UNSAID).map(([field, value]) => ({
    name: field,
    given: { [field]: value },
    plan: aNodeadmPlan(),
  })),
  { name: 'commands that run once the machine is a node', given: { commands: { post: [SECRET] } } },
  {
    name: 'a path of the plan',
    given: { files: [{ path: '/etc/containerd/certs.d/docker.io/hosts.toml', content: SECRET }] },
  },
  { name: 'raw fields of another format', given: { raw: { talos: { machine: SECRET } } } },
  { name: 'raw fields that are already set', given: { raw: { nodeadm: { kubelet: { flags: [SECRET] } } } } },
  { name: 'raw fields of cloud-init that are already set', given: { raw: { 'cloud-init': { runcmd: [SECRET] } } } },
  {
    name: 'a proxy beside one of the plan',
    given: { proxy: { https: 'http://proxy.example.com' } },
    plan: aNodeadmPlan({ config: { spec: { instance: { environment: { default: { HTTPS_PROXY: SECRET } } } } } }),
  },
  { name: 'a password', given: { proxy: { https: `http://fake:${SECRET}@proxy.example.com` } } },
  { name: 'a plan of nodeadm for cloud-init', given: { format: 'cloud-init' } },
];

describe('what nodeadm cannot do', () => {
  test('is refused in one line that says what to do instead, without a secret', async () => {
    const refusals = await refusalsOf('nodeadm', REFUSED, PLAN);
    await expect(refusals).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
  });

  test('has a test for every limit', () => {
    expect(Object.keys(UNSAID).toSorted()).toEqual(Object.keys(nodeadm.limits).toSorted());
  });
});

describe('a multipart text', () => {
  const awkward = fc.constantFrom(
    '--',
    'slipway-',
    '--slipway-',
    '\n',
    '\n\n',
    'Content-Type: x',
    'a',
    '"',
    '=',
    '=0A',
    '.',
    ' ',
    'From ',
  );
  const content = fc.array(awkward, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const part = fc.record({ contentType: fc.constantFrom(NODE_CONFIG, CLOUD_CONFIG), text: content });

  test('gives back every part unchanged', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        expect(partsOf(multipart(parts))).toEqual(parts);
      }),
    );
  });

  test('has a boundary that is in no part, even if a part tries to contain it', () => {
    fc.assert(
      fc.property(part, fc.nat({ max: 3 }), (one, depth) => {
        let parts = [one];
        for (let i = 0; i <= depth; i += 1) parts = [{ ...one, text: `${parts[0]!.text}\n--${boundaryOf(parts)}--\n` }];
        expect(parts[0]!.text).not.toContain(boundaryOf(parts));
        expect(boundaryOf(parts)).toBe(boundaryOf([...parts]));
      }),
    );
  });

  test('is all ASCII, whatever claim and plan contain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (content) => {
        const plan = aNodeadmPlan({ config: { spec: { containerd: { config: content } } } });
        const text = await textOf({ files: [{ path: '/opt/a', content }] }, plan);
        expect(text).toMatch(/^[\n\x20-\x7e]*$/);
        expect(at(JSON.parse(partOf(text, NODE_CONFIG)), 'spec', 'containerd', 'config')).toBe(content);
        const file = filesOf(partOf(text, CLOUD_CONFIG)).find(({ path }) => path === '/opt/a');
        expect(file?.bytes.equals(Buffer.from(content))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
