/** For managed resources whose CRD was not loaded: any field is accepted, but lists merge as in the CRD. */
import { ANYTHING, type Schema } from '../store/schema/node.ts';
import type { CloudKind } from './kind.ts';

const SET: Schema = { type: 'array', 'x-kubernetes-list-type': 'set' };
const INDEXED: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['index'],
  items: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { index: { type: 'string', default: '0' } },
  },
};

export function mergeSchema({ lists = {} }: CloudKind): Schema {
  const parameters: Schema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: Object.fromEntries(Object.entries(lists).map(([name, type]) => [name, type === 'set' ? SET : INDEXED])),
  };
  return {
    ...ANYTHING,
    properties: {
      ...ANYTHING.properties,
      spec: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { forProvider: parameters, initProvider: parameters },
      },
    },
  };
}
