/** Amazon Web Services, as far as Slipway composes it. */
import { type Json, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudObject } from '#simulator/cloud/kind.ts';
import type { CloudModel, MachineFacts } from '#simulator/cloud/machine.ts';
import { BALANCING } from './balancing.ts';
import { IDENTITY } from './identity.ts';
import { INSTANCE } from './instance.ts';
import { NETWORK } from './network.ts';
import { deletedSecret, readSecret, SECRETS } from './secrets.ts';
import { SECURITY } from './security.ts';

export const AWS: CloudModel = {
  name: 'aws',
  kinds: [...NETWORK, ...SECURITY, ...BALANCING, ...IDENTITY, ...SECRETS, INSTANCE],
  machine: machineOf,
  behind,
  readSecret,
  deletedSecret,
};

function machineOf(thing: CloudObject): MachineFacts | undefined {
  if (thing.kind !== INSTANCE) return undefined;
  const zone = stringAt(thing.attributes, 'availabilityZone') ?? '';
  return {
    id: thing.id,
    owner: thing.owner,
    kind: INSTANCE.kind,
    apiVersion: INSTANCE.apiVersion,
    zone,
    address: stringAt(thing.outputs, 'privateIp') ?? '',
    running: stringAt(thing.outputs, 'instanceState') === 'running',
    userData: stringAt(thing.attributes, 'userDataBase64'),
    image: stringAt(thing.attributes, 'ami'),
    providerID: `aws:///${zone}/${thing.id}`,
  };
}

/** From the name of a load balancer, by its listeners and target groups, to the instances attached to them. */
function behind(host: string, port: number, things: readonly CloudObject[]): readonly string[] | undefined {
  const balancer = things.find((thing) => thing.kind.kind === 'LB' && thing.outputs['dnsName'] === host);
  if (balancer === undefined) return undefined;
  const groups = new Set(
    things
      .filter(({ kind }) => kind.kind === 'LBListener')
      .filter(({ attributes }) => attributes['loadBalancerArn'] === balancer.arn && attributes['port'] === port)
      .flatMap((listener) => targetGroups(listener.attributes['defaultAction'])),
  );
  return things
    .filter((thing) => thing.kind.kind === 'LBTargetGroupAttachment')
    .filter(({ attributes }) => groups.has(stringAt(attributes, 'targetGroupArn') ?? ''))
    .flatMap(({ attributes }) => stringAt(attributes, 'targetId') ?? [])
    .toSorted();
}

function targetGroups(actions: Json | undefined): readonly string[] {
  const list = Array.isArray(actions) ? (actions as readonly Json[]) : [];
  return list.filter(isJsonObject).flatMap((action) => stringAt(action, 'targetGroupArn') ?? []);
}
