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
