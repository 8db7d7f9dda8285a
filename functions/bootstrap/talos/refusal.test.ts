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
  { name: 'an unsupported Talos version', given: config({ talosVersion: '1.12' }) },
  { name: 'a Talos version that is a number', given: config({ talosVersion: 1.13 }) },
  { name: 'a flag with dashes', given: config({ apiServer: { extraArgs: { '--profiling': 'false' } } }) },
  { name: 'an installation without a disk', given: config({ install: { image: 'x' } }) },
  { name: 'an invalid disk', given: config({ install: { disk: 'sda' } }) },
  { name: 'a custom pod network without a manifest', given: config({ cni: { name: 'custom' } }) },
  { name: 'a manifest that is not a URL', given: config({ extraManifests: ['manifest.yaml'] }) },
  { name: 'a patch of an authority', given: config({ patches: { all: [{ cluster: { ca: { key: 'hunter2' } } }] } }) },
  {
    name: 'a patch of the host name',
    given: config({ patches: { worker: [{ kind: 'HostnameConfig', hostname: 'x' }] } }),
  },
  { name: 'a Kubernetes version that Talos does not run', given: { spec: { version: 'v1.30.5' } } },
  {
    name: 'a Kubernetes version that the next Talos does not run any more',
    given: { spec: { version: 'v1.31.5' }, config: { talosVersion: '1.14' } },
  },
  { name: 'a label as a flag of kubelet', given: worker({}, { kubelet: { extraArgs: { 'node-labels': 'a=b' } } }) },
  {
    name: 'the same provider id for all machines',
    given: worker({}, { kubelet: { extraArgs: { 'provider-id': 'x' } } }),
  },
  {
    name: 'taints beside those of the claim',
    given: worker({}, { kubelet: { extraConfig: { registerWithTaints: [] } } }),
  },
  {
    name: 'a field of the kubelet that Talos sets itself',
    given: worker({}, { kubelet: { extraConfig: { staticPodPath: '/etc' } } }),
  },
  { name: 'a pool that would change the whole cluster', given: worker({}, { discovery: { enabled: false } }) },
  { name: 'a label value that is invalid for a Node', given: worker({ labels: { a: 'b,c=d' } }) },
];

async function refusalOf({ kind = 'worker', given }: (typeof CASES)[number]): Promise<SlipwayError> {
  // A Cluster is refused for errors in its own claim; the Machine step reports the same if it runs first.
  const outcome = await requestOf(kind, given)
    .then((request) => replyOf(run, request))
    .catch((thrown: unknown) => thrown);
  if (outcome instanceof SlipwayError) return outcome;
  throw new Error(`not refused: ${String(outcome)}`);
}

test('reports each in one line that says what to do, without a secret', async () => {
  const lines: string[] = [];
  for (const given of CASES) {
    const { code, message } = await refusalOf(given);
    expect(message).toMatch(/^cannot [^\n]+(; accepted: [^\n]+|: is required \([^\n]+\))$/);
    expect(message).not.toContain('hunter2');
    lines.push(`${given.name}\n  ${code}: ${message}\n`);
  }
  await expect(lines.join('')).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
});

test('a Secret with wrong data is reported by name, and not quoted', async () => {
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
