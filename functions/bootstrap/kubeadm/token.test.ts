/** A new token for a running cluster: what uses it, and what does not change. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { suppliedSecret } from '../../../test/support/external-etcd.ts';
import { aBootstrappedCluster, machineOf, machineRequest } from '../../../test/support/first-boot.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { aRequest } from '../../../test/support/request.ts';
import { run } from '../fn.ts';

const NEW = 'fake42.0123456789abcdef';

const { cluster, secrets } = await aBootstrappedCluster();
const replaced: KubeObject = {
  ...suppliedSecret('prod-token', { token: NEW }),
  metadata: { name: 'prod-token', namespace: 'team-a' },
};
const { token: _old, ...others } = secrets;

async function tokenOf(kind: 'control-plane' | 'worker', given: Readonly<Record<string, KubeObject>>) {
  const reply = await replyOf(run, machineRequest({ cluster, secrets: given }, machineOf(kind)));
  const { files } = ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
  const file = files.find(({ path }) => path === '/etc/kubernetes/kubeadm.yaml');
  const [join] = parseAllDocuments(Buffer.from(file?.content ?? '', 'base64').toString());
  return stringAt(join?.toJS(), 'discovery', 'bootstrapToken', 'token');
}

describe('another token, written into its Secret', () => {
  test.for(['control-plane', 'worker'] as const)('is used by every %s that is created from then on', async (kind) => {
    expect(await tokenOf(kind, secrets)).not.toBe(NEW);
    expect(await tokenOf(kind, { ...secrets, token: replaced })).toBe(NEW);
  });

  test.for([
    { name: 'observed as ours', observed: { ...others, token: replaced }, required: {} },
    { name: 'created without a mark', observed: others, required: { token: [replaced] } },
  ])('$name, is kept as written and becomes ours, and nothing else changes', async ({ observed, required }) => {
    const before = await replyOf(run, aRequest({ composite: cluster, observed: secrets }));
    const after = await replyOf(run, aRequest({ composite: cluster, observed, required }));
    const { token, ...rest } = resourcesOf(after);
    const { token: _before, kubeconfig: _issued, ...same } = resourcesOf(before);
    expect(rest).toMatchObject(same);
    expect(token?.['data']).toEqual(replaced['data']);
    expect(after.status).toEqual(before.status);
  });

  test('does not reach a machine whose first-boot data is stored', async () => {
    const { required, ...request } = machineRequest({ cluster, secrets }, machineOf('worker'));
    const resource = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-worker-0-aaaaa' } };
    const resources = new Map([[PAYLOAD_RESOURCE, { resource, connectionDetails: {} }]]);
    const stored = { ...request, observed: { ...request.observed, resources } };
    const replies = await Promise.all(
      [secrets['token']!, replaced].map((token) =>
        replyOf(run, { ...stored, required: new Map([...required, ['token', [token]]]) }),
      ),
    );
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[1]?.context).toEqual({});
  });
});

describe('the documentation', () => {
  const [known, here] = manifestsOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));

  test('creates the same token in the workload cluster and here, under the names both look for', () => {
    const [id, secret] = NEW.split('.');
    expect(known).toMatchObject({
      metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
      stringData: { 'token-id': id, 'token-secret': secret },
    });
    expect(here).toMatchObject({ metadata: replaced.metadata, stringData: { token: NEW } });
  });

  test('gives the token the same rights as that of the first machine', async () => {
    const init = await aBootstrappedCluster({ initialized: false });
    const reply = await replyOf(run, machineRequest(init, machineOf('init')));
    const { files } = ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
    const [, document] = parseAllDocuments(Buffer.from(files[0]?.content ?? '', 'base64').toString());
    const { bootstrapTokens } = document!.toJS() as { bootstrapTokens: { usages: string[]; groups: string[] }[] };
    const [{ usages, groups } = { usages: [], groups: [] }] = bootstrapTokens;
    expect(known?.['stringData']).toMatchObject({
      ...Object.fromEntries(usages.map((usage) => [`usage-bootstrap-${usage}`, 'true'])),
      'auth-extra-groups': groups.join(','),
    });
  });
});

function manifestsOf(page: string): readonly KubeObject[] {
  return [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text]) => parse(text ?? '') as KubeObject);
}

const resourcesOf = ({ resources }: Awaited<ReturnType<typeof replyOf>>): Readonly<Record<string, KubeObject>> =>
  Object.fromEntries([...resources].map(([key, { resource }]) => [key, resource]));
