import { expect, test } from 'vitest';
import { tally } from './tally.ts';

test('files of the rooms of a cloud are counted by room, and every other file is named', () => {
  const paths = [
    'clouds/azure/kinds.ts',
    'clouds/azure/machine/vm.ts',
    'clouds/gcp/kinds.ts',
    'examples/portable/overlays/azure/kustomization.yaml',
    'package/configuration-azure/activation.yaml',
    'functions/machine/clouds.ts',
  ];
  expect(tally(paths, 'azure')).toEqual([
    '2\tclouds/azure/',
    '1\tclouds/gcp/kinds.ts',
    '1\texamples/portable/overlays/azure/',
    '1\tfunctions/machine/clouds.ts',
    '1\tpackage/configuration-azure/',
  ]);
});
