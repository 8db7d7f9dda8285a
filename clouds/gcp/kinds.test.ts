import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiVersionOf, GCP_KINDS, groupOf, hasRegion, isOfGcp, MACHINE_KINDS } from './kinds.ts';
import { GCP as SIMULATED } from './simulated/gcp.ts';

const ACTIVATION = join(import.meta.dirname, '../../package/configuration-gcp/activation.yaml');

test('the simulated cloud knows every kind in the same version, and no other', () => {
  const known = SIMULATED.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(known.toSorted()).toEqual(GCP_KINDS.map((kind) => `${apiVersionOf(kind)} ${kind}`).toSorted());
});

test('where Crossplane activates no kind by itself, every kind of the list is activated, and no other kind of GCP', () => {
  const { spec } = parse(readFileSync(ACTIVATION, 'utf8')) as { spec: { activate: readonly string[] } };
  const plural = (kind: string): string => `${kind.toLowerCase()}${kind.endsWith('s') ? 'es' : 's'}`;
  const wanted = GCP_KINDS.map((kind) => `${plural(kind)}.${groupOf(kind)}`);
  expect(spec.activate.filter((name) => name.endsWith('.gcp.m.upbound.io')).toSorted()).toEqual(wanted.toSorted());
});

test('global objects and those of a zone have no region', () => {
  const without = GCP_KINDS.filter((kind) => !hasRegion(kind) && !MACHINE_KINDS.has(kind));
  expect(without).toEqual([
    'Network',
    'Firewall',
    'NetworkEndpointGroup',
    'ServiceAccount',
    'ProjectIAMMember',
    'ServiceAccountIAMMember',
  ]);
});

test('an object belongs to GCP by its group, in any version', () => {
  expect(isOfGcp({ apiVersion: 'compute.gcp.m.upbound.io/v1beta7', kind: 'Anything' })).toBe(true);
  expect(isOfGcp({ apiVersion: 'v1', kind: 'Secret' })).toBe(false);
});
