/** Nobody can look up parts by tags of a cloud: whoever writes that is told what to write instead (decision 26). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { crdsAvailable, validateManaged } from '../../../test/support/crds.ts';
import { aCluster } from '../../../test/support/claims.ts';
import type { JsonObject } from '../json.ts';
import { Cluster } from '../kinds/cluster.ts';
import { parseAs } from '../parse.ts';

const TAGS = { network: 'shared' };
const BY_LABELS = 'with labels of a managed resource that observes it, since providers find nothing by tags';
const AT = 'spec.infrastructure.existing';
const inZone = { zone: 'eu-west-1a' };

const claim = (existing: JsonObject) => aCluster({ spec: { infrastructure: { existing } } });

function lineOf(existing: JsonObject): string {
  try {
    parseAs(Cluster, claim(existing), 'Cluster "team-a/prod"', 'InvalidClaim');
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

test.for([
  { part: 'network', existing: { network: { tags: TAGS } }, says: 'ref.matchLabels' },
  { part: 'network', existing: { network: { selector: { matchLabels: TAGS } } }, says: 'ref.matchLabels' },
  { part: 'network', existing: { network: { matchLabels: TAGS } }, says: 'ref.matchLabels' },
  { part: 'network', existing: { network: { filters: [] } }, says: 'ref.matchLabels' },
  { part: 'network.ref', existing: { network: { ref: { matchTags: TAGS } } }, says: 'matchLabels' },
  { part: 'network.ref', existing: { network: { ref: { tags: TAGS } } }, says: 'matchLabels' },
  { part: 'subnets[0]', existing: { subnets: [{ tags: TAGS, ...inZone }] }, says: 'ref.matchLabels' },
  { part: 'subnets[0].ref', existing: { subnets: [{ ref: { tagSelector: TAGS }, ...inZone }] }, says: 'matchLabels' },
  { part: 'loadBalancerTargets[0]', existing: { loadBalancerTargets: [{ tags: TAGS }] }, says: 'ref.matchLabels' },
  { part: 'resourceGroup', existing: { resourceGroup: { tags: TAGS } }, says: 'ref.matchLabels' },
  { part: 'encryptionKey', existing: { encryptionKey: { tags: TAGS } }, says: 'ref.matchLabels' },
  {
    part: 'securityGroups',
    existing: { securityGroups: { tags: TAGS } },
    says: 'controlPlaneRefs[].matchLabels and workerRefs[].matchLabels',
  },
  {
    part: 'securityGroups.workerRefs[0]',
    existing: { securityGroups: { controlPlane: ['sg-1'], workerRefs: [{ tags: TAGS }] } },
    says: 'matchLabels',
  },
  {
    part: 'identities',
    existing: { identities: { tags: TAGS } },
    says: 'controlPlaneRef.matchLabels and workerRef.matchLabels',
  },
])('$part by $existing is refused with the field that takes labels', ({ part, existing, says }) => {
  const line = lineOf(existing);
  const word = /existing\.[^ ]*\.(\w+): unknown field/.exec(line)?.[1];
  expect(line).toContain(`${AT}.${part}.${word}: unknown field; accepted: ${says} ${BY_LABELS}`);
});

test('every part that can be named has such a line', () => {
  const parts = [
    'network',
    'subnets',
    'securityGroups',
    'identities',
    'loadBalancerTargets',
    'resourceGroup',
    'encryptionKey',
  ];
  expect(Object.keys(Cluster.shape.spec.shape.infrastructure.unwrap().shape.existing.unwrap().shape)).toEqual(parts);
});

/** A tool that does not validate strictly has the unknown field pruned: what is left is judged by the rules. */
test.skipIf(!crdsAvailable())('the API server refuses what is left of it, and says that tags are not it', () => {
  const [line, ...more] = validateManaged(claim({ network: {}, subnets: [] }));
  expect(more).toEqual([]);
  expect(line).toContain('must have exactly one of id and ref; a ref has the name or labels of a managed resource');
});

test('decision 26 shows the line as it is', () => {
  const page = readFileSync(
    new URL('../../../docs/decisions/0026-parts-by-reference-not-by-tags.md', import.meta.url),
    'utf8',
  );
  const shown = /^`(spec\.infrastructure.*)`$/m.exec(page)?.[1] ?? 'no line';
  expect(lineOf({ network: { id: 'vpc-1', tags: TAGS } })).toContain(shown);
});
