/** What the instance of a machine is composed as. */
import type { Composed } from '#lib/cloud/kept-fields.ts';

/** Composition resource name. */
export const INSTANCE = 'instance';
export const INSTANCE_KIND = 'Instance';
export const VM: Composed = { key: INSTANCE, kind: INSTANCE_KIND };
