import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { lackOfCapacity } from './capacity.ts';

const vm = (type: string, message: string): KubeObject => ({
  apiVersion: 'compute.azure.m.upbound.io/v1beta1',
  kind: 'LinuxVirtualMachine',
  status: { conditions: [{ type, status: 'False', reason: 'AsyncCreateFailure', message }] },
});

/** Messages as the provider reports them; everything that changes on each attempt is made up. */
test.for([
  {
    message:
      'async create failed: creating Linux Virtual Machine (Subscription: "…"): polling after CreateOrUpdate: polling failed: the Azure API returned the following error:\n\nStatus: "ZonalAllocationFailed"\nCode: ""\nMessage: "Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of allocation success at http://aka.ms/allocation-guidance"\nActivity Id: "4711"',
    said: 'We do not have sufficient capacity for the requested VM size in this zone',
  },
  {
    message:
      "async create failed: unexpected status 409 (409 Conflict) with error: SkuNotAvailable: The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: Standard_D4s_v5' is currently not available in location 'westeurope' zones '1' for subscription '4711'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.",
    said: "SkuNotAvailable: The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: Standard_D4s_v5' is currently not available in location 'westeurope' zones '1' for subscription '4711'",
  },
  { message: 'async create failed: Status: "AllocationFailed"', said: 'AllocationFailed' },
  {
    message: 'async create failed: Code="OverconstrainedZonalAllocationRequest"',
    said: 'OverconstrainedZonalAllocationRequest',
  },
])('says of a zone without room: $said', ({ message, said }) => {
  expect(lackOfCapacity(vm('LastAsyncOperation', message))).toBe(said);
  expect(lackOfCapacity(vm('Synced', message))).toBe(said);
});

test.for([
  'async create failed: unexpected status 403 (403 Forbidden) with error: AuthorizationFailed: no',
  'async create failed: OperationNotAllowed: Operation could not be completed as it results in exceeding approved Total Regional Cores quota.',
])('other refusals are no lack of capacity: %s', (message) => {
  expect(lackOfCapacity(vm('LastAsyncOperation', message))).toBeUndefined();
});
