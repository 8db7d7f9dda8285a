import { describe, expect, test } from 'vitest';
import { aCluster } from '../../test/support/claims.ts';
import { readCluster } from './cluster.ts';

const named = (name: string, more: object = {}) => {
  const cluster = aCluster();
  return { ...cluster, metadata: { ...cluster.metadata, name, resourceVersion: '7', ...more } };
};

describe('a Cluster that many machines read', () => {
  test('is parsed once for each text of it', () => {
    expect(readCluster(named('once'))).toBe(readCluster(named('once')));
  });

  test('is parsed again after an edit that the API server has not seen: `slipway plan` asks about such Clusters', () => {
    const before = readCluster(named('edited'));
    const edited = { ...named('edited'), spec: { ...aCluster().spec, version: 'v1.36.0' } };
    expect([before, readCluster(edited)].map(({ spec }) => spec.version)).toEqual(['v1.35.4', 'v1.36.0']);
  });

  test('is refused at every call, and not only at the first, if it cannot be accepted', () => {
    const wrong = { ...named('wrong'), spec: { ...aCluster().spec, version: 'new' } };
    for (const _call of [1, 2]) expect(() => readCluster(wrong)).toThrow(/^cannot accept Cluster "team-a\/wrong"/);
  });

  test('is forgotten when many others were read since, so that memory does not grow with clusters', () => {
    const first = readCluster(named('first'));
    for (let i = 0; i < 1000; i += 1) readCluster(named(`other-${i}`));
    expect(readCluster(named('first'))).not.toBe(first);
  });
});
