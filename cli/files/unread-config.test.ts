import { expect, test } from 'vitest';
import { compositions } from './repository.ts';
import { unreadConfigs } from './unread-config.ts';

const config = (name: string) => ({
  apiVersion: 'apiextensions.crossplane.io/v1beta1',
  kind: 'EnvironmentConfig',
  metadata: { name },
});

test('an EnvironmentConfig that no Composition reads is noted, with the names that they read', () => {
  expect(unreadConfigs([config('slipway-aws'), config('slipway-aw')], compositions())).toEqual([
    expect.stringMatching(
      /^no Composition here reads EnvironmentConfig "slipway-aw"; Compositions read slipway-aws, .*; did you mean "slipway-aws"\?$/,
    ),
  ]);
  expect(unreadConfigs([config('slipway-aws')], [])).toEqual([
    'no Composition here reads EnvironmentConfig "slipway-aws"; Compositions read none',
  ]);
});

test('one of an apiVersion that no function asks for is noted, with the one that it may have', () => {
  const alpha = { ...config('slipway-aws'), apiVersion: 'apiextensions.crossplane.io/v1alpha1' };
  expect(unreadConfigs([alpha], compositions())).toEqual([
    'no Composition here reads EnvironmentConfig "slipway-aws": apiVersion: "apiextensions.crossplane.io/v1alpha1" is not accepted; accepted: apiextensions.crossplane.io/v1beta1',
  ]);
});

test.for(['aws', 'cluster'])('a common word such as %s in the input of a step is no name that it reads', (name) => {
  expect(unreadConfigs([config(name)], compositions())).toHaveLength(1);
});

test('a function of others may name it anywhere in its input', () => {
  const input = { apiVersion: 'example.org/v1', kind: 'Input', sources: [{ ref: 'acme' }] };
  const composition = { ...config('c'), kind: 'Composition', spec: { pipeline: [{ step: 'mine', input }] } };
  expect(unreadConfigs([config('acme')], [composition])).toEqual([]);
});
