/** Hosts of somebody else, as far as Slipway meets them: who provides them, and how their machines are found. */
import type { JsonObject } from '#lib/api/json.ts';
import { stringAt } from '#lib/api/json.ts';
import type { CloudObject } from '#simulator/cloud/kind.ts';
import type { CloudModel, MachineFacts } from '#simulator/cloud/machine.ts';
import { HOST, HOST_CLAIM } from './kinds.ts';
import { Owner, RUNNING_HOST } from './owner.ts';
import { ProviderNode } from './provider-node.ts';

export const EXISTING: CloudModel = {
  name: 'existing',
  kinds: [],
  owned: [HOST, HOST_CLAIM],
  machine: machineOf,
  behind,
  start(parts) {
    void new Owner(parts);
    if (!parts.elsewhere) void new ProviderNode(parts);
  },
  readSecret: () => ({ refused: 'hosts have no store for secrets' }),
  deletedSecret: () => [],
};

function machineOf({ kind, id, owner, attributes, outputs }: CloudObject): MachineFacts | undefined {
  if (kind !== RUNNING_HOST) return undefined;
  return {
    id,
    owner,
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    zone: stringAt(attributes, 'failureDomain') ?? '',
    address: stringAt(outputs, 'address') ?? '',
    running: true,
    userData: stringAt(attributes, 'userData'),
    image: stringAt(attributes, 'image'),
    providerID: '',
  };
}

/** Hosts whose claim has this endpoint; undefined: nobody has, so the name is of another cloud. */
function behind(host: string, port: number, things: readonly CloudObject[]): readonly string[] | undefined {
  const led = things.filter(({ kind, attributes }) => {
    const targets = attributes['loadBalancerTargets'];
    const list = Array.isArray(targets) ? (targets as readonly JsonObject[]) : [];
    return kind === RUNNING_HOST && list.some(({ id }) => id === `${host}:${port}`);
  });
  return led.length === 0 ? undefined : led.map(({ id }) => id).toSorted();
}
