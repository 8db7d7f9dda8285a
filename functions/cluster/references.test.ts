/** Existing parts that a claim names by managed resources of its namespace. */
import { describe, expect, test } from 'vitest';
import { REFERENCES as AWS } from '#clouds/aws/infrastructure/references.ts';
import { REFERENCES as AZURE } from '#clouds/azure/infrastructure/references.ts';
import { REFERENCES as EXISTING } from '#clouds/existing/infrastructure/references.ts';
import { REFERENCES as GCP } from '#clouds/gcp/infrastructure/references.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { referableBy } from '#lib/cloud/references.ts';
import {
  aClaim,
  anInput,
  type Call,
  call,
  condition,
  infrastructure,
  keys,
  observe,
  withReply,
} from './cluster.fixture.ts';

const READY = [{ type: 'Ready', status: 'True', reason: 'Available' }];
const vpc = (name: string, id?: string): KubeObject => ({
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'VPC',
  metadata: { name, namespace: 'team-a', labels: { net: 'shared' } },
  spec: { managementPolicies: ['Observe'] },
  status: id === undefined ? {} : { atProvider: { id }, conditions: READY },
});

const subnets = [{ id: 'subnet-a', zone: 'eu-west-1a' }];
const claimWith = (network: JsonObject, status?: JsonObject) =>
  aClaim({ infrastructure: { existing: { network, subnets } } }, status);
const BY_NAME = claimWith({ ref: { name: 'shared' } });
const BY_LABELS = claimWith({ ref: { matchLabels: { net: 'shared' } } });
const LABELLED = 'VPC {"net":"shared"}';
const input = anInput({ aws: {} });
const asked = (found: readonly KubeObject[], more: Partial<Call> = {}) =>
  call({ claim: BY_NAME, input, required: { 'VPC shared': found }, ...more });
const waits = (reply: Awaited<ReturnType<typeof call>>) => condition(reply, 'InfrastructureReady')?.message;

test('before it was asked for, nothing is decided', async () => {
  const reply = await call({ claim: BY_NAME, input, required: {} });
  expect([...reply.requirements.values()]).toContainEqual({
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    kind: 'VPC',
    namespace: 'team-a',
    matchName: 'shared',
  });
  expect(keys(reply)).toEqual([]);
});

describe('a new cluster waits, in one line and with nothing composed,', () => {
  const named = 'waiting for VPC "team-a/shared", which spec.infrastructure.existing.network.ref names: ';
  test.for([
    { name: 'for one that is not there', found: [], why: 'not found' },
    { name: 'for one that its provider has not seen', found: [vpc('shared')], why: '' },
  ])('$name', async ({ found, why }) => {
    const reply = await asked(found);
    expect(keys(reply)).toEqual([]);
    expect(waits(reply)).toContain(`${named}${why}`);
    expect(condition(reply, 'InfrastructureReady')).toMatchObject({ status: 'False' });
  });
});

test('a new cluster that waits for labels says them as kubectl does', async () => {
  const reply = await call({ claim: BY_LABELS, input, required: { [LABELLED]: [] } });
  expect(waits(reply)).toContain(
    'waiting for VPC with labels net=shared in namespace "team-a", which spec.infrastructure.existing.network.ref names: not found',
  );
});

test('its id is that of the claim, and is recorded', async () => {
  const reply = await asked([vpc('shared', 'vpc-0a')]);
  expect(infrastructure(reply).network).toEqual({ id: 'vpc-0a' });
  expect(infrastructure(reply).existing).toMatchObject({ references: { 'VPC shared': 'vpc-0a' } });
  expect(keys(reply)).not.toContain('vpc');
});

test('labels find the one that has them', async () => {
  const reply = await call({ claim: BY_LABELS, input, required: { [LABELLED]: [vpc('any', 'vpc-0a')] } });
  expect(infrastructure(reply).network).toEqual({ id: 'vpc-0a' });
});

test('labels that several have are refused with their names', async () => {
  const two = [vpc('one', 'vpc-0a'), vpc('two', 'vpc-0b')];
  await expect(call({ claim: BY_LABELS, input, required: { [LABELLED]: two } })).rejects.toThrow(
    /network\.ref: .*; accepted: what only one of them has: VPC one, VPC two$/,
  );
});

test('a limit holds for what is found, as for what is named', async () => {
  const limited = anInput({ aws: {}, limits: { networks: ['vpc-0b'] } });
  await expect(asked([vpc('shared', 'vpc-0a')], { input: limited })).rejects.toThrow('vpc-0a');
});

describe('a cluster that exists', () => {
  const later = async (found: readonly KubeObject[]) => {
    const first = await asked([vpc('shared', 'vpc-0a')]);
    const observed = observe(first);
    return { first, reply: await asked(found, { claim: withReply(BY_NAME, first), observed }) };
  };

  test.for([
    { name: 'is deleted', found: [] },
    { name: 'is not ready', found: [vpc('shared')] },
    { name: 'gets another id', found: [vpc('shared', 'vpc-0b')] },
  ])('goes on when the managed resource $name', async ({ found }) => {
    const { first, reply } = await later(found);
    expect(keys(reply)).toEqual(expect.arrayContaining(keys(first)));
    expect(infrastructure(reply).network).toEqual({ id: 'vpc-0a' });
  });

  test('goes on when another managed resource gets the same labels', async () => {
    const [one, two] = [vpc('one', 'vpc-0a'), vpc('two', 'vpc-0b')];
    const first = await call({ claim: BY_LABELS, input, required: { [LABELLED]: [one] } });
    const claim = withReply(BY_LABELS, first);
    const reply = await call({ claim, input, observed: observe(first), required: { [LABELLED]: [one, two] } });
    expect(infrastructure(reply).network).toEqual({ id: 'vpc-0a' });
  });

  test('keeps everything while the status is lost and the managed resource is not there', async () => {
    const first = await asked([vpc('shared', 'vpc-0a')]);
    const reply = await asked([], { observed: observe(first) });
    expect(keys(reply).toSorted()).toEqual(keys(first).toSorted());
  });
});

describe('what a managed resource cannot stand for is refused by name', () => {
  const refusals = Object.entries({ aws: AWS, azure: AZURE, existing: EXISTING, gcp: GCP }).flatMap(
    ([cloud, references]) =>
      (Object.keys(references) as (keyof typeof references)[]).flatMap((part) => {
        const accepted = references[part];
        return typeof accepted === 'string' ? [{ cloud, part, references, accepted }] : [];
      }),
  );

  test.for(refusals)('$cloud: $part', ({ part, references, accepted }) => {
    expect(() =>
      referableBy(references, part, { field: `spec.${part}.ref`, what: 'shared', owner: 'Cluster "a/b"' }),
    ).toThrow(`spec.${part}.ref: "shared" is not accepted; accepted: ${accepted}`);
  });

  test('there are some', () => {
    expect(refusals.map(({ cloud, part }) => `${cloud} ${part}`)).toContain('gcp securityGroups');
  });
});

test('a group of GCP is called by its zone and name', () => {
  const group = referableBy(GCP, 'loadBalancerTargets', { field: 'f', what: 'w', owner: 'o' });
  const id = 'projects/p/zones/europe-west1-b/networkEndpointGroups/api';
  expect(group.idOf({ apiVersion: 'a', kind: 'k', status: { atProvider: { id } } })).toBe('europe-west1-b/api');
});

describe('a refusal of its id names the field of the claim,', () => {
  const OUTSIDE = { limits: { networks: ['vpc-of-us'], securityGroups: ['sg-1'], identities: ['node'] } };
  const of = (kind: string, apiVersion: string, name: string, atProvider: JsonObject): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name, namespace: 'team-a' },
    status: { atProvider, conditions: READY },
  });
  const EC2 = 'ec2.aws.m.upbound.io/v1beta1';
  const IAM = 'iam.aws.m.upbound.io/v1beta1';
  test.for([
    { name: 'of the network', existing: { network: { ref: { name: 'shared' } }, subnets }, field: 'network.ref' },
    {
      name: 'of a security group after those with ids',
      existing: { securityGroups: { controlPlane: ['sg-1'], worker: ['sg-1'], workerRefs: [{ name: 'open' }] } },
      field: 'securityGroups.workerRefs[0]',
    },
    {
      name: 'of an identity',
      existing: { identities: { controlPlane: 'node', workerRef: { name: 'admin' } } },
      field: 'identities.workerRef',
    },
  ])('$name', async ({ existing, field }) => {
    const required = {
      'VPC shared': [vpc('shared', 'vpc-0a')],
      'SecurityGroup open': [of('SecurityGroup', EC2, 'open', { id: 'sg-9' })],
      'InstanceProfile admin': [of('InstanceProfile', IAM, 'admin', { id: 'admin' })],
    };
    const claim = aClaim({ infrastructure: { existing } });
    const called = call({ claim, input: anInput({ ...OUTSIDE, aws: {} }), required });
    await expect(called).rejects.toThrow(
      `cannot accept Cluster "team-a/prod": spec.infrastructure.existing.${field}: "`,
    );
  });
});
