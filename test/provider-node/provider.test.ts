/**
 * What Crossplane, its tools and people expect of a provider's package and definitions, row by row; what they expect of
 * its behaviour is in `managed.ts`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { NODE_CONDITIONS } from '#lib/api/contracts/workload-node.ts';
import { at } from '#lib/api/json.ts';
import { ROOT } from '../../cli/files/repository.ts';

const FOLDER = join(ROOT, 'package/provider-node');
const read = (path: string): unknown => parse(readFileSync(join(FOLDER, path), 'utf8'));
const meta = read('crossplane.yaml');
const crds = globSync('crds/*.yaml', { cwd: FOLDER }).map(read);
const kindOf = (crd: unknown): unknown => at(crd, 'spec', 'names', 'kind');
const crdOf = (kind: string): unknown => crds.find((crd) => kindOf(crd) === kind);
const versionOf = (kind: string): unknown => (at(crdOf(kind), 'spec', 'versions') as readonly unknown[])[0];
const columnsOf = (kind: string): readonly string[] =>
  (at(versionOf(kind), 'additionalPrinterColumns') as readonly { name: string }[]).map(({ name }) =>
    name.toUpperCase(),
  );
const schemaOf = (kind: string, ...path: readonly string[]): unknown =>
  at(versionOf(kind), 'schema', 'openAPIV3Schema', ...path.flatMap((field) => ['properties', field]));

describe('the package', () => {
  test('is one Provider with definitions', () => {
    expect(meta).toMatchObject({ apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider' });
    expect(crds.map((crd) => at(crd, 'kind'))).toEqual(crds.map(() => 'CustomResourceDefinition'));
  });

  test('has four kinds that have to be activated; the others have the names that never have to be', () => {
    expect(new Set(crds.map(kindOf))).toEqual(
      new Set([
        'ClusterFacts',
        'ClusterProviderConfig',
        'Host',
        'HostClaim',
        'ProviderConfig',
        'ProviderConfigUsage',
        'WorkloadNode',
      ]),
    );
  });
});

describe('the definitions', () => {
  test('list nodes with what is managed, and configurations apart from it', () => {
    expect(at(crdOf('WorkloadNode'), 'spec', 'names', 'categories')).toEqual(['crossplane', 'managed', 'slipway']);
    for (const kind of ['ProviderConfig', 'ClusterProviderConfig', 'ProviderConfigUsage'])
      expect(at(crdOf(kind), 'spec', 'names', 'categories')).not.toContain('managed');
    expect(at(crdOf('ProviderConfig'), 'spec', 'names', 'categories')).toContain('providerconfig');
  });

  test('have the columns of every provider', () => {
    expect(columnsOf('WorkloadNode')).toEqual(expect.arrayContaining(['SYNCED', 'READY', 'EXTERNAL-NAME', 'AGE']));
  });

  test('keep one condition of a type, with the generation that it is about', () => {
    const conditions = schemaOf('WorkloadNode', 'status', 'conditions');
    expect(conditions).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { properties: { observedGeneration: { type: 'integer' } } },
    });
    expect(Object.keys(NODE_CONDITIONS)).toEqual(expect.arrayContaining(['Synced', 'Ready']));
  });

  test('have managementPolicies that allow everything where a claim says nothing', () => {
    expect(schemaOf('WorkloadNode', 'spec', 'managementPolicies')).toMatchObject({ default: ['*'] });
  });

  test('name both sides of each use of a configuration', () => {
    expect(schemaOf('ProviderConfigUsage', 'providerConfigRef')).toBeDefined();
    expect(schemaOf('ProviderConfigUsage', 'resourceRef')).toBeDefined();
  });

  test('allow the status to be written apart from the spec', () => {
    expect(versionOf('WorkloadNode')).toMatchObject({ subresources: { status: {} } });
  });
});
