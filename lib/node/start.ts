/**
 * The call that starts a cluster: once, with what a Secret holds, to the first address of the machine that takes it.
 */
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { type Decision, look } from './decision.ts';
import type { NodeSituation } from './situation.ts';

/** What has to be done before there is a cluster to reach, or what is waited for; undefined when nothing is left. */
export function startOf(situation: NodeSituation): Decision | { readonly wait: string } | undefined {
  const { object, hasStartSecret, calls = [] } = situation;
  if (at(object, 'spec', 'start') === undefined || at(object, 'status', 'started') === true) return undefined;
  if (calls.some(({ refusal }) => refusal === undefined))
    return {
      next: { do: 'Note', status: { started: true }, why: 'the machine accepted the call that starts its cluster' },
    };
  if (hasStartSecret === undefined) return look('StartSecret', 'the machine waits to be called');
  if (!hasStartSecret) return { wait: `waiting for ${keyOf(object)}` };
  const address = addressesOf(object).find((one) => !calls.some((call) => call.address === one));
  if (address !== undefined) return { next: { do: 'CallStart', address, why: 'the machine waits to be called' } };
  const last = calls.at(-1);
  if (last === undefined) return { wait: 'waiting for an address of the machine' };
  return {
    wait: `waiting for the Talos API at ${last.address} to accept the call that starts the cluster: ${last.refusal}`,
  };
}

function keyOf(object: KubeObject): string {
  const name = stringAt(object, 'spec', 'start', 'secretRef', 'name') ?? '';
  const key = stringAt(object, 'spec', 'start', 'secretRef', 'key') ?? '';
  return `key "${key}" of Secret "${object.metadata?.namespace ?? ''}/${name}"`;
}

function addressesOf(object: KubeObject): readonly string[] {
  const addresses = at(object, 'spec', 'start', 'addresses');
  return Array.isArray(addresses) ? addresses.filter((one) => typeof one === 'string') : [];
}
