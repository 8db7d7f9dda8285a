/** What clouds report of a virtual machine. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';

/** Clouds report missing values as an empty text. */
export function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** Undefined while another size is desired: the reported one is about to change. @param field of spec.forProvider */
export function settledSize(observed: KubeObject, field: string, reported: string | undefined): string | undefined {
  return reported === stringAt(observed, 'spec', 'forProvider', field) ? reported : undefined;
}
