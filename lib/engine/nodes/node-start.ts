/** The call that starts a cluster, as provider-node makes it: once, with what the Secret holds, to the machine's address. */
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { SECRET } from '../store/builtins.ts';
import { metaOf } from '../store/object.ts';
import type { Store } from '../store/store.ts';

/** Calls a machine by address; undefined when it took the call, else what it answered. */
export type Calling = (address: string, credentials: string) => string | undefined;

/** Whether a call is due: one was asked for, and none was taken yet. */
export function mustStart(object: KubeObject): boolean {
  return at(object, 'spec', 'start') !== undefined && at(object, 'status', 'started') !== true;
}

/** Undefined when the machine took the call, else what stands in the way. */
export function start(store: Store, object: KubeObject, call: Calling): string | undefined {
  const name = stringAt(object, 'spec', 'start', 'secretRef', 'name') ?? '';
  const key = stringAt(object, 'spec', 'start', 'secretRef', 'key') ?? '';
  const { namespace = '' } = metaOf(object);
  const secret = store.find({ ...SECRET, namespace, name });
  const credentials = stringAt(secret, 'data', key);
  if (credentials === undefined) return `waiting for key "${key}" of Secret "${namespace}/${name}"`;
  const addresses = at(object, 'spec', 'start', 'addresses');
  let answer = 'waiting for an address of the machine';
  for (const address of Array.isArray(addresses) ? (addresses as readonly string[]) : []) {
    const refusal = call(address, Buffer.from(credentials, 'base64').toString('utf8'));
    if (refusal === undefined) return undefined;
    answer = `waiting for the Talos API at ${address} to take the call that starts the cluster: ${refusal}`;
  }
  return answer;
}
