/** Fields of an instance of Cumulus, and what a change of each does. */
import type { CloudFields } from '#lib/cloud/fields.ts';

export const CUMULUS_FIELDS = {
  kind: 'compute.cumulus.example/Instance',
  made: [
    { field: 'image', of: ['spec.machine.image'], change: 'Replaces' },
    { field: 'size', of: ['spec.machine.class', 'spec.machine.instanceType'], change: 'Stops' },
  ],
  alsoStop: [],
} as const satisfies CloudFields;
