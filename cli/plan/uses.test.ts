/** An object that is edited alone is planned with the claims that read it. */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { isRead, usesAny } from './uses.ts';

const object = (kind: string, name: string, namespace = 'team-a'): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace },
});
const pool: KubeObject = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'NodePool',
  metadata: { name: 'general', namespace: 'team-a' },
  spec: {
    infrastructure: { overrides: [{ kind: 'Instance', patchFrom: { configMap: { name: 'patches', key: 'patch' } } }] },
    provisioning: { files: [{ path: '/etc/app.conf', contentFrom: { secret: { name: 'app', key: 'conf' } } }] },
  },
};

describe('a claim', () => {
  test.for([object('ConfigMap', 'patches'), object('Secret', 'app')])('reads $kind $metadata.name', (one) => {
    expect(isRead(one)).toBe(true);
    expect(usesAny(pool, [object('ConfigMap', 'other'), one])).toBe(true);
  });

  test.for([
    object('ConfigMap', 'app'),
    object('Secret', 'patches'),
    object('ConfigMap', 'patches', 'team-b'),
    object('Service', 'patches'),
  ])('does not read $kind $metadata.namespace/$metadata.name', (one) => {
    expect(usesAny(pool, [one])).toBe(false);
  });

  test.for(['caSecret', 'clientSecret'])('reads the Secret that %s of an etcd of others names', (field) => {
    const cluster = {
      ...pool,
      kind: 'Cluster',
      spec: { bootstrap: { config: { etcd: { external: { [field]: 'corp' } } } } },
    };
    expect(usesAny(cluster, [object('Secret', 'corp')])).toBe(true);
    expect(usesAny(cluster, [object('ConfigMap', 'corp'), object('Secret', 'other')])).toBe(false);
  });
});
