/** Secrets that were deleted and restored from a backup without the annotations of Crossplane: docs/restore.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster } from '../../test/support/claims.ts';
import { aBootstrappedCluster, machineOf, machineRequest } from '../../test/support/first-boot.ts';
import { expectIdempotent, expectNeverSmaller, replyOf } from '../../test/support/function-laws.ts';
import { aRequest } from '../../test/support/request.ts';
import { run } from './fn.ts';

const PROVIDERS = ['kubeadm', 'k0s', 'k3s', 'rke2', 'talos', 'microk8s', 'canonical-kubernetes'] as const;
/** Secrets that may be written again, because only joining machines use their content. */
const MAY_CHANGE = new Set([
  'kubeadm encryption',
  'k3s agent-token',
  'rke2 agent-token',
  'microk8s token',
  'microk8s capi-auth-token',
  'canonical-kubernetes capi-auth-token',
]);

const messageOf = async (request: Request): Promise<string> =>
  SlipwayError.from(await replyOf(run, request).catch((thrown: unknown) => thrown)).message;
const condition = ({ conditions }: ReplyData) => conditions.find(({ type }) => type === 'CertificatesAvailable');

/** The text of docs/restore.md. */
const BACKUP = readFileSync(join(import.meta.dirname, '../../docs/restore/plain.gotmpl'), 'utf8');

/** The Secret as in a backup: name and content, without labels, annotations or owner. */
function plain(secret: KubeObject, metadata: JsonObject = {}): KubeObject {
  const { name, namespace } = secret.metadata ?? {};
  const { immutable: _mark, ...rest } = secret;
  return { ...rest, metadata: { name, namespace, ...metadata } } as KubeObject;
}

function referring(cluster: KubeObject, secrets: Readonly<Record<string, KubeObject>>): KubeObject {
  const resourceRefs = Object.values(secrets).map(({ metadata }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    name: metadata?.name ?? '',
  }));
  const crossplane = { ...(cluster.spec?.['crossplane'] as JsonObject), resourceRefs };
  return { ...cluster, spec: { ...cluster.spec, crossplane } };
}

describe.for(PROVIDERS)('%s', async (provider) => {
  const spec = { bootstrap: { provider } };
  const { cluster, secrets } = await aBootstrappedCluster({ spec });
  const other = await aBootstrappedCluster({ spec });
  const keys = Object.keys(secrets);
  const but = (key: string) => Object.fromEntries(Object.entries(secrets).filter(([name]) => name !== key));

  test.for(keys)(
    '%s, restored from a backup with only the mark, is the same as when created again: immutable, with our labels',
    async (key) => {
      const back = plain(secrets[key]!, { annotations: { 'crossplane.io/composition-resource-name': key } });
      const reply = await replyOf(run, aRequest({ composite: cluster, observed: { ...secrets, [key]: back } }));
      const desired = reply.resources.get(key)?.resource;
      expect(desired?.['immutable']).toBe(true);
      expect(desired?.['data']).toEqual(secrets[key]?.['data']);
      expect(desired?.metadata?.labels?.['slipway.dev/cluster']).toBe(cluster.metadata?.name);
    },
  );

  test.for(keys)(
    '%s, when it is gone and still referenced: only the reference goes, and the message says what to do',
    async (key) => {
      const given = aRequest({ composite: referring(cluster, secrets), observed: but(key), required: { [key]: [] } });
      const reply = await replyOf(run, given);
      const name = `"team-a/${secrets[key]?.metadata?.name}"`;
      const line = `cannot read Secret ${name}: it was created and no longer exists; restore it from a backup (docs/restore.md), since Slipway never creates it again`;
      expect(reply.resources.has(key)).toBe(false);
      expect([...reply.resources.keys()]).toEqual(expect.arrayContaining(Object.keys(but(key))));
      expect(reply.status['certificates']).toEqual(cluster.status?.['certificates']);
      expect(condition(reply)).toEqual({
        type: 'CertificatesAvailable',
        status: 'False',
        reason: 'UnreadableSecret',
        message: line,
      });
      expect(reply.compositeReady).toBe('False');
      expect(reply.events).toEqual([{ severity: 'Warning', reason: 'UnreadableSecret', message: line }]);
      const later = referring(cluster, but(key));
      expect(await messageOf(aRequest({ composite: later, observed: but(key), required: { [key]: [] } }))).toBe(line);
    },
  );

  test.for(keys)('%s, when applied again without a mark, belongs to its Cluster again', async (key) => {
    const restored = plain(secrets[key]!);
    const given = aRequest({ composite: cluster, observed: but(key), required: { [key]: [restored] } });
    const reply = await replyOf(run, given);
    const { resource } = reply.resources.get(key)!;
    expect(resource).toEqual(secrets[key]);
    expect(condition(reply)).toMatchObject({ status: 'True', reason: 'Available' });
    expect(reply.status['certificates']).toEqual(cluster.status?.['certificates']);
    expect(reply.events.map(({ reason }) => reason)).toEqual(['SecretRestored']);
    await expectIdempotent(run, given);
    await expectNeverSmaller(run, given);
  });

  const wrongAt = (key: string): readonly Request[] => {
    const wrong = plain(renewed(other.secrets[key]!));
    return [
      aRequest({ composite: cluster, observed: but(key), required: { [key]: [wrong] } }),
      aRequest({ composite: cluster, observed: { ...secrets, [key]: wrong } }),
    ];
  };
  const mayChange = (key: string): boolean => MAY_CHANGE.has(`${provider} ${key}`);

  test.for(keys.filter((key) => !mayChange(key)))(
    '%s: a different one is refused by its name, composed or not',
    async (key) => {
      const what =
        /^cannot use Secret (\S+): it is not the (authority|key pair|text|set of texts) this cluster was created with; delete it and restore the original from a backup \(docs\/restore\.md\)$/;
      for (const given of wrongAt(key)) {
        const line = await messageOf(given);
        expect(what.exec(line)?.[1], line).toBe(`"team-a/${secrets[key]?.metadata?.name}"`);
      }
    },
  );

  test.for([keys.filter(mayChange)])(
    'a value that nothing stored in the cluster depends on may differ: %s',
    async (changeable) => {
      for (const given of changeable.flatMap(wrongAt))
        expect([...(await replyOf(run, given)).resources.keys()]).toEqual(expect.arrayContaining(keys));
    },
  );
});

test.for(['ca', 'etcd-ca', 'proxy-ca', 'sa'])('%s: a machine refuses a different one, too', async (key) => {
  const { cluster, secrets } = await aBootstrappedCluster();
  const other = await aBootstrappedCluster();
  const given = { ...secrets, [key]: other.secrets[key]! };
  expect(await messageOf(machineRequest({ cluster, secrets: given }, machineOf('control-plane')))).toMatch(
    new RegExp(
      `^cannot use Secret "team-a/${secrets[key]?.metadata?.name}": it is not the (authority|key pair) its cluster`,
    ),
  );
});

/** With counted bytes as randomness two clusters have the same tokens; their keys always differ. */
function renewed(secret: KubeObject): KubeObject {
  const data = (secret['data'] ?? {}) as Record<string, string>;
  if ('tls.crt' in data) return secret;
  const turned = (text: string) => {
    const plainText = Buffer.from(text, 'base64').toString();
    return Buffer.from(`${plainText[0] === 'b' ? 'c' : 'b'}${plainText.slice(1)}`).toString('base64');
  };
  return { ...secret, data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, turned(text)])) };
}

test('every Secret that is gone or wrong has its own line', async () => {
  const { cluster, secrets } = await aBootstrappedCluster();
  const other = await aBootstrappedCluster();
  const { ca: _ca, 'proxy-ca': _proxy, ...left } = secrets;
  const observed = { ...left, sa: other.secrets['sa']! };
  const lines = (
    await messageOf(aRequest({ composite: cluster, observed, required: { ca: [], 'proxy-ca': [] } }))
  ).split('; cannot');
  expect(lines.map((line) => /Secret "team-a\/(\S+)": ([a-z ]+)/.exec(line)?.slice(1))).toEqual([
    ['prod-ca', 'it was created and no longer exists'],
    ['prod-proxy', 'it was created and no longer exists'],
    ['prod-sa', 'it is not the key pair this cluster was created with'],
  ]);
});

describe('a new Cluster of the same name', async () => {
  const { secrets } = await aBootstrappedCluster();
  const bare = { ...aCluster({ status: {} }), metadata: { name: 'prod', namespace: 'team-a', uid: 'new-uid' } };
  const required = (secret: KubeObject) => ({
    ...Object.fromEntries(Object.keys(secrets).map((key) => [key, []])),
    ca: [secret],
  });
  const owner = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster', name: 'prod', uid: 'old-uid', controller: true };
  const made = secrets['ca']!;
  /** As Crossplane stores what a function composes. */
  const mark = { 'crossplane.io/composition-resource-name': 'ca' };
  const left = { ...made, metadata: { ...made.metadata, annotations: mark } };

  test('does not continue with keys that were created for an earlier Cluster, unless the user says so', async () => {
    const given = aRequest({ composite: bare, required: required(left) });
    expect(await messageOf(given)).toBe(
      'cannot use Secret "team-a/prod-ca": it was created for an earlier Cluster of this name; delete it to start with new keys, or set its annotation slipway.dev/cluster-uid to metadata.uid of this Cluster to keep these (docs/restore.md)',
    );
    const annotations = { ...mark, 'slipway.dev/cluster-uid': 'new-uid' };
    const handed = { ...left, metadata: { ...left.metadata, annotations } };
    const reply = await replyOf(run, aRequest({ composite: bare, required: required(handed) }));
    expect(reply.resources.get('ca')?.resource.metadata).toMatchObject({
      annotations: { 'slipway.dev/cluster-uid': 'new-uid' },
    });
    expect(reply.resources.get('ca')?.resource['data']).toEqual(made['data']);
  });

  test('recognizes keys from a documented backup as those of an earlier Cluster, although they have no owner', async () => {
    const names = new Set([...BACKUP.matchAll(/index \. "([^"]+)"/g)].map(([, name]) => name ?? ''));
    const kept = (all: JsonObject) => Object.fromEntries(Object.entries(all).filter(([key]) => names.has(key)));
    const { labels = {}, annotations } = left.metadata;
    const restored = plain(left, { labels: kept(labels), annotations: kept(annotations) });
    expect(await messageOf(aRequest({ composite: bare, required: required(restored) }))).toContain(
      'it was created for an earlier Cluster of this name',
    );
  });

  test('does not continue with keys that were handed to yet another Cluster', async () => {
    const handed = plain(made, { annotations: { 'slipway.dev/cluster-uid': 'old-uid' } });
    expect(await messageOf(aRequest({ composite: bare, required: required(handed) }))).toContain(
      'it was created for an earlier Cluster of this name',
    );
  });

  test('waits while Secrets of the earlier Cluster are being deleted', async () => {
    const going = { ...left, metadata: { ...left.metadata, ownerReferences: [owner] } } as unknown as KubeObject;
    const reply = await replyOf(run, aRequest({ composite: bare, required: required(going) }));
    expect(reply.resources.has('ca')).toBe(false);
    expect(condition(reply)).toMatchObject({
      status: 'False',
      reason: 'WaitingForSecret',
      message: 'waiting until Secrets of an earlier Cluster of this name are deleted: "team-a/prod-ca"',
    });
  });

  test('does not wait for a Secret of another Cluster that happens to have such a name', async () => {
    const other = { ...owner, name: 'prod-of-old' };
    const theirs = { ...left, metadata: { ...left.metadata, ownerReferences: [other] } } as unknown as KubeObject;
    expect(await messageOf(aRequest({ composite: bare, required: required(theirs) }))).toBe(
      'cannot use Secret "team-a/prod-ca": it belongs to Cluster "prod-of-old"; give one of the two Clusters another name',
    );
  });

  test('reports that it uses a Secret without any mark', async () => {
    const observed = Object.fromEntries(Object.entries(secrets).filter(([key]) => key !== 'ca'));
    const reply = await replyOf(run, aRequest({ composite: bare, observed, required: { ca: [plain(left)] } }));
    expect(reply.resources.has('ca')).toBe(false);
    expect(reply.events).toEqual([
      {
        severity: 'Normal',
        reason: 'SecretSupplied',
        message: 'Secret "team-a/prod-ca" was supplied: its authority is used, and Slipway does not manage the Secret',
      },
    ]);
    expect(reply.status).toMatchObject({ certificates: { secrets: { ca: { origin: 'Supplied' } } } });
  });
});
