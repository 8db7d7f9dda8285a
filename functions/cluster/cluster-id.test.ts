/** Several teams, and several management clusters, share an account: their clusters never meet in it. */
import { describe, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, isJsonObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import {
  aClaim,
  anInput,
  call,
  infrastructure,
  isManaged,
  objects,
  observe,
  settled,
  withReply,
} from './cluster.fixture.ts';

const SHARED = 'kubernetes.io/cluster/shared-services';
const OWNER = 'sigs.k8s.io/cluster-api-provider-aws/cluster/';

const named = (metadata: JsonObject): KubeObject => ({ ...aClaim(), metadata: { ...aClaim().metadata, ...metadata } });

/** Every name in the cloud, and every tag that is not the same for all clusters. */
function markedIn(reply: ReplyData): readonly string[] {
  const roles = /(^|\/)role(\/|$)/;
  return objects(reply)
    .filter(isManaged)
    .flatMap(({ metadata, spec }) => {
      const fields = (spec?.['forProvider'] ?? {}) as JsonObject;
      const tags = isJsonObject(fields['tags']) ? fields['tags'] : {};
      return [
        metadata?.annotations?.['crossplane.io/external-name'],
        fields['name'],
        ...Object.entries(tags).flatMap(([key, value]) => (roles.test(key) ? [] : [`${key}=${JSON.stringify(value)}`])),
      ].filter((text) => typeof text === 'string');
    });
}

describe('two clusters called prod in one account', () => {
  test.for([
    { name: 'of two teams', a: { namespace: 'team-a' }, b: { namespace: 'team-b' } },
    { name: 'of two management clusters', a: { uid: 'uid-1' }, b: { uid: 'uid-2' } },
    {
      name: 'whose namespace and name give the same text',
      a: { namespace: 'team', name: 'a-prod' },
      b: { namespace: 'team-a', name: 'prod' },
    },
  ])('$name have no name and no tag in common', async ({ a, b }) => {
    const [one, other] = [await call({ claim: named(a) }), await call({ claim: named(b) })].map(markedIn);
    const claimed = (text: string) => text.startsWith('slipway.dev/claim=');
    expect(one!.filter((text) => other!.includes(text) && !claimed(text))).toEqual([]);
    expect(one!.length).toBeGreaterThan(50);
  });

  test('whose management clusters have a name keep theirs when the claim is created again', async () => {
    const input = (managementCluster: string) => anInput({ managementCluster });
    const ids = await Promise.all(
      (
        [
          ['eu', 'uid-1'],
          ['eu', 'uid-2'],
          ['us', 'uid-1'],
        ] as const
      ).map(async ([name, uid]) => {
        const { reply } = await settled(named({ uid }), input(name));
        expect(infrastructure(reply).tags['slipway.dev/management-cluster']).toBe(name);
        return infrastructure(reply).id;
      }),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });
});

describe('names and tags stay as they were when the cluster was created', () => {
  test('when the management cluster gets a name', async () => {
    const { claim, reply } = await settled(named({ uid: 'uid-1' }));
    const later = await call({ claim, observed: observe(reply), input: anInput({ managementCluster: 'eu' }) });
    expect(infrastructure(later).id).toBe(infrastructure(reply).id);
  });

  test('when a backup without status is restored, and the claim has another uid', async () => {
    const { reply } = await settled(named({ uid: 'uid-1' }));
    const restored = await call({ claim: named({ uid: 'uid-2' }), observed: observe(reply, isManaged) });
    expect(markedIn(restored)).toEqual(markedIn(reply));
  });

  test('when the platform tags everything for a cluster of its own', async () => {
    const input = anInput({ tags: { [SHARED]: 'shared' } });
    const { reply } = await settled(named({ uid: 'uid-1' }), input);
    const restored = await call({ claim: named({ uid: 'uid-2' }), observed: observe(reply, isManaged), input });
    expect(markedIn(restored)).toEqual(markedIn(reply));
  });

  test('when the first release created it: it is called by its name only', async () => {
    const status = {
      contract: 1,
      cloud: 'aws',
      region: 'eu-west-1',
      ready: false,
      tags: { [SHARED]: 'shared', 'kubernetes.io/cluster/prod': 'owned', [`${OWNER}prod`]: 'owned' },
    };
    const claim = withReply(named({ uid: 'uid-1' }), { ...(await call()), status: { infrastructure: status } });
    const reply = await call({ claim });
    const role = reply.resources.get('role-node')?.resource;
    expect(role?.metadata?.annotations).toEqual({ 'crossplane.io/external-name': 'prod-node-dxlbzp' });
    expect(role?.spec?.['forProvider']).toMatchObject({
      tags: {
        Name: 'prod-role-node',
        'kubernetes.io/cluster/prod': 'owned',
        'sigs.k8s.io/cluster-api-provider-aws/cluster/prod': 'owned',
        'sigs.k8s.io/cluster-api-provider-aws/role': 'node',
      },
    });
    expect(JSON.stringify(reply.resources.get('policy-node')?.resource)).toContain('secret:slipway/team-a/prod/node/*');
  });
});
