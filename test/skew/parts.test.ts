/**
 * A release with one Secret more than the one before: not created yet, created by the next release, created and lost.
 */
import { describe, expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { keepCluster } from '../../functions/bootstrap/cluster.ts';
import { BootstrapInput } from '../../functions/bootstrap/input.ts';
import { CA, partsOf } from '../../functions/bootstrap/kubeadm/authorities.ts';
import { readKubeadmConfig } from '../../functions/bootstrap/kubeadm/config.ts';
import { authorityPart, type Part } from '../../functions/bootstrap/parts.ts';
import { run as thisRelease } from '../../functions/bootstrap/fn.ts';
import { replyOf } from '../support/function-laws.ts';
import { withStatus } from './releases.ts';
import { bootstrapOf, observedIn, PROVIDERS } from './subjects.ts';

const ADDED: Part = { ...authorityPart('audit-ca', 'audit', 'audit-ca'), recordedAlways: true };

/** The bootstrap step for kubeadm in a made-up next release. */
const nextRelease: CompositionFunction = async (request, world) => {
  const reply = new Reply(request, ANSWERS_FOR_NOTHING);
  const owner = describeObject(request.observed.composite);
  const composite = parseAs(Cluster, request.observed.composite, owner);
  const input = BootstrapInput.parse({ apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput' });
  const parts = [...partsOf(readKubeadmConfig({}, owner), true), ADDED];
  const call = { request, reply, world, input, composite, owner };
  await keepCluster(call, { parts, terms: { algorithm: 'ECDSA-P256' }, authority: CA, clientAuthority: CA });
  return reply;
};

const absent = (request: Request): Request => ({ ...request, required: new Map([[ADDED.key, []]]) });
const secretsOf = (request: Request): JsonObject =>
  Object.fromEntries(
    [...request.observed.resources]
      .filter(([, { resource }]) => resource.kind === 'Secret')
      .map(([key, { resource }]) => [key, (resource['data'] ?? {}) as JsonObject]),
  );

async function step(run: CompositionFunction, request: Request): Promise<Request> {
  return absent(observedIn(request, await replyOf(run, request)));
}

const { request: settled } = await bootstrapOf('kubeadm');
const [begun, { caCertHash }] = [
  absent(settled),
  settled.observed.composite.status?.['certificates'] as { readonly caCertHash: string },
];

describe('a Secret that the next release adds', () => {
  test.for([
    { name: 'with records', from: begun },
    { name: 'of the first release, which recorded none', from: withStatus(begun, { certificates: { caCertHash } }) },
  ])('is created once for a cluster $name, and nothing else changes', async ({ from }) => {
    const made = await step(nextRelease, from);
    expect(Object.keys(secretsOf(made)).toSorted()).toEqual([...Object.keys(secretsOf(from)), ADDED.key].toSorted());
    const { [ADDED.key]: added, ...others } = secretsOf(made);
    expect(others).toEqual(secretsOf(from));
    const read = await step(nextRelease, made);
    expect(secretsOf(read)[ADDED.key]).toEqual(added);
    expect(at(read.observed.composite, 'status', 'certificates', 'secrets', ADDED.key)).toMatchObject({
      name: 'prod-audit',
      origin: 'Made',
    });
  });

  test('stays with its record when this release runs again, and is the same for the next one', async () => {
    const upgraded = await step(nextRelease, await step(nextRelease, begun));
    const rolledBack = await step(thisRelease, upgraded);
    expect(secretsOf(rolledBack)).toEqual(secretsOf(upgraded));
    expect(rolledBack.observed.composite.status).toEqual(upgraded.observed.composite.status);
    const again = await step(nextRelease, rolledBack);
    expect(secretsOf(again)).toEqual(secretsOf(upgraded));
    expect(again.observed.composite.status).toEqual(upgraded.observed.composite.status);
  });

  test('is refused by name when it was created and lost, and never created again', async () => {
    const upgraded = await step(nextRelease, await step(nextRelease, begun));
    const resources = new Map([...upgraded.observed.resources].filter(([key]) => key !== ADDED.key));
    const lost = { ...upgraded, observed: { ...upgraded.observed, resources } };
    const outcome = await replyOf(nextRelease, lost).catch((thrown: unknown) => thrown);
    expect(SlipwayError.from(outcome).message).toBe(
      'cannot read Secret "team-a/prod-audit": it was created and no longer exists; restore it from a backup (docs/restore.md), since Slipway never creates it again',
    );
  });
});

describe('another bootstrap provider', () => {
  test.for(PROVIDERS)('is refused for a cluster of %s by what its status records', async (provider) => {
    const { run, request } = await bootstrapOf(provider);
    const other = PROVIDERS.find((one) => one !== provider) ?? '';
    const { composite } = request.observed;
    const switched: KubeObject = { ...composite, spec: { ...composite.spec, bootstrap: { provider: other } } };
    const given = { ...request, observed: { ...request.observed, composite: switched } };
    await expect(replyOf(run, given)).rejects.toThrow(
      `cannot accept Cluster "team-a/prod": spec.bootstrap.provider: "${other}" is not accepted; accepted: ${provider}, since the cluster was created with it`,
    );
  });

  test('without Secrets removes none when nothing is recorded', async () => {
    const { run, request } = await bootstrapOf('kubeadm');
    const { composite } = withStatus(request, { certificates: { caCertHash } }).observed;
    const switched: KubeObject = { ...composite, spec: { ...composite.spec, bootstrap: { provider: 'nodeadm' } } };
    const reply = await replyOf(run, { ...request, observed: { ...request.observed, composite: switched } });
    expect([...request.observed.resources.keys()].filter((key) => !reply.resources.has(key))).toEqual([]);
  });
});

/** Created before there were records, by the first release. Secrets that are added later have `recordedAlways`. */
const FIRST: Readonly<Record<(typeof PROVIDERS)[number], string>> = {
  // And a token, which no release creates any more.
  kubeadm: 'ca etcd-ca proxy-ca sa',
  k0s: 'ca etcd-ca proxy-ca sa',
  k3s: 'agent-token ca client-ca etcd-ca etcd-peer-ca proxy-ca sa token',
  rke2: 'agent-token ca client-ca etcd-ca etcd-peer-ca proxy-ca sa token',
  talos: 'ca etcd-ca proxy-ca sa talos talos-ca',
  microk8s: 'ca token',
  'canonical-kubernetes': 'ca client-ca proxy-ca sa',
};

test.for(PROVIDERS)('%s: a Secret that the first release did not create does not count as lost', async (provider) => {
  const { run, request } = await bootstrapOf(provider);
  const { requirements } = await replyOf(run, request);
  const bare = { ...request, observed: { ...request.observed, resources: new Map() } };
  const first = withStatus(bare, { certificates: { caCertHash } });
  const asked = { ...first, required: new Map([...requirements.keys()].map((key) => [key, []] as const)) };
  const outcome = SlipwayError.from(await replyOf(run, asked).catch((thrown: unknown) => thrown));
  const lost = [...outcome.message.matchAll(/"team-a\/(prod-[a-z0-9-]+)"/g)].map(([, name]) => name);
  const names = FIRST[provider].split(' ').map((key) => requirements.get(key)?.matchName);
  expect(new Set(lost)).toEqual(new Set(names));
});
