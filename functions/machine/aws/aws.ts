/** AWS for the machine step: an Instance, and for each load balancer it serves a registration once its id is known. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Address, Cloud, VirtualMachine } from '../cloud.ts';
import type { Situation } from '../situation.ts';
import { instanceOf, labelsOf } from './instance.ts';

const INSTANCE = 'instance';

export const aws: Cloud = {
  machineKey: INSTANCE,
  plan(situation, infrastructure, boot, id) {
    const { resource, bytes, kept } = instanceOf(situation, infrastructure, boot, situation.observed.get(INSTANCE));
    return { resources: new Map([[INSTANCE, resource], ...registrations(situation, infrastructure, id)]), bytes, kept };
  },
  read,
};

/** Registered by id, which has no reference: it comes once the id is known and then stays. */
function registrations(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  id: string | undefined,
): readonly (readonly [string, KubeObject])[] {
  const { machine, input, observed } = situation;
  const surroundings = machine.spec.role === 'control-plane' ? infrastructure.controlPlane : infrastructure.worker;
  return (surroundings?.loadBalancerTargets ?? []).flatMap(({ id: targetGroupArn, port }, index) => {
    const key = `target-${index}`;
    const existing = observed.get(key);
    if (existing !== undefined) return [[key, asDesired(existing)] as const];
    if (id === undefined) return [];
    const resource: KubeObject = {
      apiVersion: 'elbv2.aws.m.upbound.io/v1beta1',
      kind: 'LBTargetGroupAttachment',
      metadata: {
        name: `${machine.metadata.name}-${key}`,
        namespace: machine.metadata.namespace,
        labels: labelsOf(situation),
      },
      spec: {
        forProvider: { region: infrastructure.region, targetGroupArn, targetId: id, port },
        providerConfigRef: input.providerConfigRef,
      },
    };
    return [[key, resource] as const];
  });
}

function read(observed: KubeObject | undefined): VirtualMachine {
  const state = at(observed, 'status', 'atProvider');
  const instanceState = stringAt(state, 'instanceState');
  return {
    id: stringAt(state, 'id') ?? stringAt(observed?.metadata?.annotations, CROSSPLANE.externalName),
    running: instanceState === 'running',
    ended: instanceState === 'terminated' || instanceState === 'shutting-down',
    failureDomain: stringAt(state, 'availabilityZone'),
    addresses: addressesOf(state),
  };
}

const ADDRESSES = {
  privateIp: 'InternalIP',
  privateDns: 'InternalDNS',
  publicIp: 'ExternalIP',
  publicDns: 'ExternalDNS',
} as const;

function addressesOf(state: unknown): readonly Address[] {
  return Object.entries(ADDRESSES).flatMap(([field, type]) => {
    const address = stringAt(state, field);
    return address === undefined ? [] : [{ type, address }];
  });
}
