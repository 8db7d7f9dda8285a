import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { Store } from '../store/store.ts';
import { architectureOfImage, versionOfImage } from './images.ts';

const ofConfig = (images: Readonly<Record<string, Readonly<Record<string, string>>>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'EnvironmentConfig',
  data: { images },
});
const ofComposition = (images: Readonly<Record<string, Readonly<Record<string, string>>>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Composition',
  spec: { pipeline: [{ input: {} }, { input: { images } }] },
});

const OBJECTS: Readonly<Record<string, readonly KubeObject[]>> = {
  EnvironmentConfig: [ofConfig({ 'acme/v1.35.4': { here: 'a' }, 'acme/v1.34.4/arm64': { here: 'b' } })],
  Composition: [
    ofComposition({ 'acme-arm64': { here: 'c' }, 'acme-arm64/amd64': { here: 'd' }, acme: { here: 'e-aarch64' } }),
  ],
};
const STORE = {
  kinds: { find: () => ({}) },
  list: ({ kind }: { readonly kind: string }) => OBJECTS[kind] ?? [],
} as unknown as Store;

test.for([
  ['a', 'v1.35.4', 'amd64'],
  ['b', 'v1.34.4', 'arm64'],
  ['c', undefined, 'arm64'],
  ['d', undefined, 'amd64'],
  ['e-aarch64', undefined, 'arm64'],
  ['server-amd64', undefined, 'amd64'],
  ['unknown', undefined, undefined],
] as const)('image "%s" has Kubernetes %s and architecture %s', ([id, version, architecture]) => {
  expect(versionOfImage(STORE, id)).toBe(version);
  expect(architectureOfImage(STORE, id)).toBe(architecture);
});
