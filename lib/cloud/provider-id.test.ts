import { expect, test } from 'vitest';
import { providerIDOf } from './provider-id.ts';

const AWS = 'aws:///${failureDomain}/${instanceId}';
const GCE = 'gce://acme-prod/${failureDomain}/${instanceId}';
const AZURE =
  'azure:///subscriptions/0a1b/resourceGroups/prod/providers/Microsoft.Compute/virtualMachines/${instanceId}';

test.for([
  {
    name: 'AWS: the zone and the id',
    format: AWS,
    values: { instanceId: 'i-0123', failureDomain: 'eu-west-1a' },
    want: 'aws:///eu-west-1a/i-0123',
  },
  {
    name: 'GCE: the project is part of the format, and the name is used instead of the id',
    format: GCE,
    values: { instanceId: 'prod-0', failureDomain: 'europe-west1-b' },
    want: 'gce://acme-prod/europe-west1-b/prod-0',
  },
  {
    name: 'GCE: the project may also be a value, where machines report it',
    format: 'gce://${project}/${failureDomain}/${instanceId}',
    values: { instanceId: 'prod-0', failureDomain: 'europe-west1-b', project: 'acme-prod' },
    want: 'gce://acme-prod/europe-west1-b/prod-0',
  },
  {
    name: 'Azure: does not wait for the zone of a machine without zones',
    format: AZURE,
    values: { instanceId: 'prod-0', failureDomain: undefined },
    want: 'azure:///subscriptions/0a1b/resourceGroups/prod/providers/Microsoft.Compute/virtualMachines/prod-0',
  },
  {
    name: 'Azure: upper and lower case stay as in the values',
    format: '${subscription}/resourceGroups/${resourceGroup}',
    values: { subscription: '0A1B', resourceGroup: 'mc_prod' },
    want: '0A1B/resourceGroups/mc_prod',
  },
  { name: 'a value twice', format: '${a}/${a}', values: { a: 'x' }, want: 'x/x' },
  {
    name: 'a value is a string, whatever it looks like',
    format: '${a}-${b}',
    values: { a: '$&', b: '${a}' },
    want: '$&-${a}',
  },
  { name: 'a format without values', format: 'bare://host', values: {}, want: 'bare://host' },
])('is written as the format says: $name', ({ format, values, want }) => {
  expect(providerIDOf(format, values)).toBe(want);
});

test.for([
  { name: 'AWS without the id', format: AWS, values: { instanceId: undefined, failureDomain: 'eu-west-1a' } },
  { name: 'AWS without the zone', format: AWS, values: { instanceId: 'i-0123', failureDomain: undefined } },
  { name: 'GCE without the name', format: GCE, values: { failureDomain: 'europe-west1-b' } },
  { name: 'a property that every object inherits', format: '${constructor}', values: {} },
])('waits while a value is missing: $name', ({ format, values }) => {
  expect(providerIDOf(format, values)).toBeUndefined();
});
