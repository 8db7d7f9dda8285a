/** What a platform can state that claims may override. */
import { describe, expect, test } from 'vitest';
import { overridesInput } from './overrides-input.ts';

const accepts = (path: string): boolean => overridesInput().safeParse({ LB: [path] }).success;

describe('a platform can state', () => {
  test.for([
    'spec.forProvider',
    'spec.forProvider.monitoring',
    'spec.forProvider.tags.team',
    'metadata.labels["team"]',
    'metadata.labels["example.com/*"]',
    'metadata.annotations["a.example.com/cost-center"]',
  ])('%s', (path) => {
    expect(accepts(path)).toBe(true);
  });
});

describe('a platform cannot state', () => {
  test.for([
    { path: 'metadata.labels', why: 'Argo CD, Flux and Helm find what is theirs by labels and annotations' },
    { path: 'metadata.annotations', why: 'Argo CD, Flux and Helm find what is theirs by labels and annotations' },
    { path: 'metadata.labels["*"]', why: 'it means every key' },
    { path: 'metadata.labels["*/name"]', why: 'it means every prefix' },
    { path: 'metadata.labels["*.io/name"]', why: 'it means prefixes of others' },
    { path: 'metadata.labels["team*"]', why: 'it could contain a slash' },
    { path: 'metadata.labels["team"].x', why: 'a label is text' },
    { path: 'metadata.name', why: 'it is the identity of the object' },
    { path: 'spec', why: 'it includes what Crossplane does with the object' },
    { path: 'spec.managementPolicies', why: 'it is for Crossplane' },
    { path: 'spec.forProviderX', why: 'there is no such field' },
  ])('$path, because $why', ({ path }) => {
    expect(accepts(path)).toBe(false);
  });
});
