import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { leftOff } from './left-off.ts';

/** A virtual machine whose last operation ended like this, as upjet writes it. */
function vm(reason: string, cause: string): KubeObject {
  const message = `async update failed: failed to update the resource: [{0 ${cause}  []}]`;
  return {
    apiVersion: 'compute.azure.m.upbound.io/v1beta1',
    kind: 'LinuxVirtualMachine',
    status: { conditions: [{ type: 'LastAsyncOperation', status: 'False', reason, message }] },
  };
}

const ALLOCATION = 'polling failed: Status: "AllocationFailed" Activity Id: "0123456789abcdef0123456789abcdef"';

test.for([
  ['deallocated', `deallocating Linux Virtual Machine (Name: "a"): ${ALLOCATION}`],
  ['changed', `updating Linux Virtual Machine (Name: "a"): ${ALLOCATION}`],
  ['started', `starting Linux Virtual Machine (Name: "a"): ${ALLOCATION}`],
] as const)(
  'a machine that was stopped and not %s is off, with what Azure said, and without ids of the call',
  ([, cause]) => {
    expect(leftOff(vm('AsyncUpdateFailure', cause))).toBe(
      `the machine is left off: update failed: ${cause.replace(/ Activity Id.*/, '')}`,
    );
  },
);

test.for([
  [
    'that was not stopped',
    'AsyncUpdateFailure',
    `sending Power Off to Linux Virtual Machine (Name: "a"): ${ALLOCATION}`,
  ],
  ['that is being created', 'AsyncCreateFailure', `creating Linux Virtual Machine (Name: "a"): ${ALLOCATION}`],
] as const)('a machine %s is not left off', ([, reason, cause]) => {
  expect(leftOff(vm(reason, cause))).toBeUndefined();
});

test('a machine that was not observed is not left off', () => {
  expect(leftOff(undefined)).toBeUndefined();
});
