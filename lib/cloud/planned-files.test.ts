/** Files of a plan that are known of a claim: each condition alone decides. */
import { expect, test } from 'vitest';
import { plannedPaths } from './planned-files.ts';
import type { PlanTrait } from './traits.ts';

const PLAN: PlanTrait = {
  kind: 'scripted',
  os: ['linux', 'windows'],
  writes: [
    { path: '/etc/both' },
    { path: '/etc/linux', os: 'linux' },
    { path: '/etc/server', role: 'control-plane' },
    { path: '/etc/authentication.yaml', unless: { field: ['flags'], is: /^authentication-config$/, since: 32 } },
  ],
};
const CLAIMED = { registries: [], proxy: undefined };

const paths = (of: Parameters<typeof plannedPaths>[2]) => plannedPaths(PLAN, CLAIMED, of);
const ofCluster = (version: string, flags = {}) =>
  paths({ os: 'linux', role: 'worker', newCluster: { config: { flags }, version } });

test('a file of one system is in no plan for another', () => {
  expect(paths({ os: 'linux', role: 'worker' })).toEqual(['/etc/both', '/etc/linux']);
  expect(paths({ os: 'windows', role: 'worker' }), 'a claim may have a file there').toEqual(['/etc/both']);
});

test('a file of one role is in no plan for another', () => {
  expect(paths({ os: 'linux', role: 'control-plane' })).toContain('/etc/server');
  expect(paths({ os: 'linux' }), 'the role is not known').not.toContain('/etc/server');
});

test('a file that plans have since a version is free before it, so that a new Cluster may bring its own', () => {
  expect(ofCluster('v1.32.0')).toContain('/etc/authentication.yaml');
  expect(ofCluster('v1.31.9')).not.toContain('/etc/authentication.yaml');
});

test('a file is free where the configuration has its own, and where the Cluster exists', () => {
  expect(ofCluster('v1.32.0', { 'authentication-config': '/a' })).not.toContain('/etc/authentication.yaml');
  expect(paths({ os: 'linux', role: 'worker' }), 'what it has is not known').not.toContain('/etc/authentication.yaml');
});
