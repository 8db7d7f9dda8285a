/** What a claim may not do to the account of its platform unless the Composition allows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { messageOf } from '#lib/api/errors.ts';
import type { JsonObject } from '#lib/api/json.ts';
import * as cluster from '../../functions/cluster/cluster.fixture.ts';
import * as machine from '../../functions/machine/machine.fixture.ts';
import { AWS_KINDS, groupOf } from './kinds.ts';
import { OVERRIDABLE } from './overridable.ts';

const errorOf = (answer: Promise<unknown>): Promise<string> => answer.then(() => 'accepted', messageOf);
const inCloud = (forProvider: JsonObject): JsonObject => ({ spec: { forProvider } });
const marked = (key: string): JsonObject => ({ metadata: { annotations: { [key]: 'vpc-of-another-team' } } });

describe('a claim cannot take over the account', () => {
  test.for<{ readonly name: string; readonly kind: string; readonly patch: JsonObject; readonly field: string }>([
    { name: 'give its nodes all rights', kind: 'RolePolicy', patch: inCloud({ policy: '{}' }), field: 'policy' },
    {
      name: 'let another account assume its role',
      kind: 'Role',
      patch: inCloud({ assumeRolePolicy: '{}' }),
      field: 'assumeRolePolicy',
    },
    {
      name: 'drop the permissions boundary',
      kind: 'Role',
      patch: inCloud({ permissionsBoundary: null }),
      field: 'permissionsBoundary',
    },
    {
      name: 'open the API to everyone',
      kind: 'SecurityGroupIngressRule',
      patch: inCloud({ cidrIpv4: '0.0.0.0/0' }),
      field: 'cidrIpv4',
    },
    {
      name: 'peer its network',
      kind: 'Route',
      patch: inCloud({ vpcPeeringConnectionId: 'pcx-1' }),
      field: 'vpcPeeringConnectionId',
    },
    { name: 'set tags', kind: 'VPC', patch: inCloud({ tags: { team: 'b' } }), field: 'tags.team' },
  ])('cannot $name', async ({ kind, patch, field }) => {
    const claim = cluster.aClaim({ infrastructure: { overrides: [{ kind, patch }] } });
    const thrown = await errorOf(cluster.call({ claim }));
    expect(thrown).toContain(`patch.spec.forProvider.${field}: may not be overridden; accepted for ${kind}: `);
    expect(thrown).toContain('(overrides in ClusterInput of the Composition)');
  });

  test.for<{ readonly name: string; readonly patch: JsonObject; readonly field: string }>([
    {
      name: 'take the identity of another cluster',
      patch: inCloud({ iamInstanceProfile: 'b' }),
      field: 'iamInstanceProfile',
    },
    {
      name: 'answer metadata without a token',
      patch: inCloud({ metadataOptions: { httpTokens: 'optional' } }),
      field: 'metadataOptions.httpTokens',
    },
    {
      name: 'join other security groups',
      patch: inCloud({ vpcSecurityGroupIds: ['sg-b'] }),
      field: 'vpcSecurityGroupIds',
    },
    { name: 'move to another subnet', patch: inCloud({ subnetId: 'subnet-b' }), field: 'subnetId' },
    {
      name: 'have an unencrypted disk',
      patch: inCloud({ rootBlockDevice: { encrypted: false } }),
      field: 'rootBlockDevice.encrypted',
    },
    { name: 'boot another script', patch: { spec: { initProvider: { userData: 'x' } } }, field: 'userData' },
  ])('cannot let a machine $name', async ({ patch, field }) => {
    const claim = machine.aMachine({ infrastructure: { overrides: [{ kind: 'Instance', patch: patch as never }] } });
    expect(await errorOf(machine.call({ machine: claim }))).toMatch(
      new RegExp(
        `patch\\.spec\\.(forProvider|initProvider)\\.${field}: may not be overridden; accepted for Instance: `,
      ),
    );
  });

  test('cannot adopt what another team owns, whatever the Composition allows', async () => {
    const key = 'crossplane.io/external-name';
    const claim = cluster.aClaim({ infrastructure: { overrides: [{ kind: 'VPC', patch: marked(key) }] } });
    const input = cluster.anInput({ overrides: { '*': [`metadata.annotations["${key}"]`] } });
    expect(await errorOf(cluster.call({ claim, input }))).toContain(
      `patch.metadata.annotations["${key}"]: cannot be overridden`,
    );
  });

  test('cannot look like another cluster, whatever the Composition allows, since IAM compares names of tags without case', async () => {
    const overrides = [{ kind: 'VPC', patch: inCloud({ tags: { 'Kubernetes.io/cluster/b': 'owned' } }) }];
    const input = cluster.anInput({ overrides: { VPC: ['spec.forProvider.tags'] } });
    expect(await errorOf(cluster.call({ claim: cluster.aClaim({ infrastructure: { overrides } }), input }))).toContain(
      'patch.spec.forProvider.tags["Kubernetes.io/cluster/b"]: cannot be overridden',
    );
  });

  test.for([
    'argocd.argoproj.io/tracking-id',
    'meta.helm.sh/release-name',
    'kustomize.toolkit.fluxcd.io/name',
    'app.kubernetes.io/managed-by',
    'config.kubernetes.io/owning-inventory',
    'kapp.k14s.io/app',
    'objectset.rio.cattle.io/id',
    'team',
  ])('cannot tell the controllers of the platform that an object is theirs: %s', async (key) => {
    const overrides = [{ kind: 'VPC', patch: marked(key) }];
    expect(await errorOf(cluster.call({ claim: cluster.aClaim({ infrastructure: { overrides } }) }))).toMatch(
      /patch\.metadata\.annotations\["[^"]+"\]: (may not|cannot) be overridden/,
    );
  });
});

test('the default list has no kind that gives rights, connects networks or holds secrets', () => {
  const never = AWS_KINDS.filter((kind) =>
    ['iam', 'secretsmanager'].some((group) => groupOf(kind).startsWith(`${group}.`)),
  );
  expect(Object.keys(OVERRIDABLE).filter((kind) => (never as readonly string[]).includes(kind))).toEqual([]);
  expect(
    Object.values(OVERRIDABLE)
      .flat()
      .filter((path) => /tags|subnet|security|iam|encrypt|network|userData|kms/i.test(path)),
  ).toEqual([]);
});

test('the shipped Composition of pools states the same for machines, so that a pool refuses what its machines would', () => {
  const file = join(import.meta.dirname, '../../compositions/aws/nodepool.yaml');
  const { spec } = parse(readFileSync(file, 'utf8')) as {
    spec: { pipeline: { input?: { kind: string; overrides?: unknown } }[] };
  };
  const { Instance } = OVERRIDABLE;
  expect(spec.pipeline.map(({ input }) => input).find((input) => input?.kind === 'NodePoolInput')?.overrides).toEqual({
    Instance,
  });
});
