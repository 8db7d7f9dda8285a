/** Fields of a virtual machine stay as they were created, but for a machine that the cloud refused to create. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { keptOrAskedAgain } from './kept-fields.ts';

const FIELDS = ['size', 'image', 'disk', 'zone'];

function vm(status: JsonObject): KubeObject {
  const forProvider = { size: 'large', image: { id: 'a', plan: 'x' }, zone: '1', tags: {} };
  return { apiVersion: 'cloud/v1', kind: 'VM', spec: { forProvider }, status };
}

const failed = (reason: string): JsonObject => ({
  conditions: [{ type: 'LastAsyncOperation', status: 'False', reason, message: 'no such size' }],
});

describe('the fields of a virtual machine', () => {
  it.for<{ name: string; status: JsonObject }>([
    { name: 'that runs', status: { atProvider: { id: 'i-1' } } },
    { name: 'that is being created', status: {} },
    { name: 'of which an update failed', status: failed('AsyncUpdateFailure') },
    {
      name: 'that was created before it failed',
      status: { atProvider: { id: 'i-1' }, ...failed('AsyncCreateFailure') },
    },
  ])('$name stay as they were created', ({ status }) => {
    expect(keptOrAskedAgain(vm(status), FIELDS, { size: 'small' })).toEqual({
      size: 'large',
      image: { id: 'a', plan: 'x' },
      zone: '1',
    });
  });

  it('that the cloud refused to create follow the claim and the catalog, as far as both say something', () => {
    const asked = { size: 'small', zone: undefined, image: { id: 'b', plan: null } };
    expect(keptOrAskedAgain(vm(failed('AsyncCreateFailure')), FIELDS, asked)).toEqual({
      size: 'small',
      image: { id: 'b' },
      zone: '1',
    });
  });
});
