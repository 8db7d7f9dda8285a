import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';
import { type Kind, requestOf, type Wanted } from './plan.fixture.ts';

const worker = (spec: JsonObject, poolConfig: JsonObject = {}): Wanted => ({ spec, poolConfig });
const config = (fields: JsonObject): Wanted => ({ config: fields });

const CASES: readonly { readonly name: string; readonly kind?: Kind; readonly given: Wanted }[] = [
  { name: 'an unknown field', given: config({ controlplane: {} }) },
  { name: 'a Talos nobody wrote a layout for', given: config({ talosVersion: '1.12' }) },
  { name: 'a Talos that is a number', given: config({ talosVersion: 1.13 }) },
  { name: 'a flag with dashes', given: config({ apiServer: { extraArgs: { '--profiling': 'false' } } }) },
  { name: 'an installation without a disk', given: config({ install: { image: 'x' } }) },
  { name: 'a disk that is none', given: config({ install: { disk: 'sda' } }) },
  { name: 'a custom pod network from nowhere', given: config({ cni: { name: 'custom' } }) },
  { name: 'a manifest that is no URL', given: config({ extraManifests: ['manifest.yaml'] }) },
  { name: 'a patch of an authority', given: config({ patches: { all: [{ cluster: { ca: { key: 'hunter2' } } }] } }) },
  {
    name: 'a patch of the host name',
    given: config({ patches: { worker: [{ kind: 'HostnameConfig', hostname: 'x' }] } }),
  },
  { name: 'a Kubernetes version that Talos does not run', given: { spec: { version: 'v1.30.5' } } },
  {
    name: 'a Kubernetes version that the next Talos no longer runs',
    given: { spec: { version: 'v1.31.5' }, config: { talosVersion: '1.14' } },
  },
  { name: 'a label as a flag of kubelet', given: worker({}, { kubelet: { extraArgs: { 'node-labels': 'a=b' } } }) },
  { name: 'a provider id for every machine', given: worker({}, { kubelet: { extraArgs: { 'provider-id': 'x' } } }) },
  {
    name: 'taints beside those of the claim',
    given: worker({}, { kubelet: { extraConfig: { registerWithTaints: [] } } }),
  },
  { name: 'nothing, since Talos sets it', given: worker({}, { kubelet: { extraConfig: { staticPodPath: '/etc' } } }) },
  { name: 'a pool that would change the whole cluster', given: worker({}, { discovery: { enabled: false } }) },
  { name: 'a label value no Node can have', given: worker({ labels: { a: 'b,c=d' } }) },
];

async function refusalOf({ kind = 'worker', given }: (typeof CASES)[number]): Promise<SlipwayError> {
  // The Cluster itself is refused for what is wrong in it; whoever reads a machine's claim first says the same.
  const outcome = await requestOf(kind, given)
    .then((request) => replyOf(run, request))
    .catch((thrown: unknown) => thrown);
  if (outcome instanceof SlipwayError) return outcome;
  throw new Error(`not refused: ${String(outcome)}`);
}

test('each in one line that people can act on, without a secret', async () => {
  const lines: string[] = [];
  for (const given of CASES) {
    const { code, message } = await refusalOf(given);
    expect(message).toMatch(/^cannot [^\n]+(; accepted: [^\n]+|: is required \([^\n]+\))$/);
    expect(message).not.toContain('hunter2');
    lines.push(`${given.name}\n  ${code}: ${message}\n`);
  }
  await expect(lines.join('')).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
});

test('a Secret that is not what it must be is named, and not quoted', async () => {
  const request = await requestOf('control-plane');
  const spoil = (key: string, data: JsonObject) => {
    const [secret] = request.required.get(key) as readonly KubeObject[];
    return replyOf(run, {
      ...request,
      required: new Map([
        ...request.required,
        [key, [{ ...secret!, data: { ...(secret!['data'] as JsonObject), ...data } }]],
      ]),
    });
  };
  const encoded = Buffer.from('hunter2').toString('base64');
  await expect(spoil('talos', { id: encoded })).rejects.toThrow(
    /^cannot use Secret "team-a\/prod-talos": its key id is not 32 bytes in base64$/,
  );
  await expect(spoil('talos', { trustdtoken: '' })).rejects.toThrow(/: it has no key trustdtoken$/);
  const [ca] = request.required.get('ca') as readonly KubeObject[];
  await expect(spoil('talos-ca', ca!['data'] as JsonObject)).rejects.toThrow(
    /^cannot use Secret "team-a\/prod-talos-ca": tls.key is not an Ed25519 key$/,
  );
});
