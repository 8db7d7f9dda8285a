/** A pool of any size as its two functions observe it: settled, with every machine ready. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import type { Request } from '#lib/fn/request.ts';
import { aCluster, aNodePool, withStatus } from '../support/claims.ts';
import { aRequest } from '../support/request.ts';

/** The update rules of AWS pools. */
export const UPDATE_INPUT = parse(
  readFileSync(join(import.meta.dirname, '../../clouds/aws/rules.yaml'), 'utf8'),
) as JsonObject;

/** The request of a pool with these machines; there may be none yet. */
export function poolRequest(replicas: number, machines: readonly KubeObject[], spec: JsonObject = {}): Request {
  const existing = machines.filter(({ kind }) => kind === 'Machine').length;
  const resourceRefs = machines.map(({ apiVersion, kind, metadata }) => ({
    apiVersion,
    kind,
    name: metadata?.name ?? '',
  }));
  return aRequest({
    composite: {
      ...aNodePool({ spec: { replicas, machine: { class: 'standard-4' }, ...spec, crossplane: { resourceRefs } } }),
      status: { initialized: false, replicas: existing, nextSerial: existing === 0 ? 0 : 1 },
    },
    observed: Object.fromEntries(machines.map((machine) => [machine.metadata?.name ?? '', machine])),
    required: { cluster: [aCluster()], machines },
  });
}

/** The Machines of a pool of that size, of which the functions create the first ones. */
export function machinesLike(first: readonly KubeObject[], size: number): readonly KubeObject[] {
  const machines = first.filter(({ kind }) => kind === 'Machine');
  return Array.from({ length: size }, (_, slot) => inSlot(machines[slot % machines.length]!, slot));
}

function inSlot(machine: KubeObject, slot: number): KubeObject {
  const { name = '', labels } = machine.metadata ?? {};
  const metadata = {
    ...machine.metadata,
    name: name.replace(/-\d+(?=-[^-]+$)/, `-${slot}`),
    labels: { ...labels, [LABEL.slot]: `${slot}` },
  };
  return { ...machine, metadata };
}

/** No machine of a settled pool became ready a moment ago: the pool would list its machines. */
const LONG_AGO = '2026-01-01T00:00:00Z';

/** Desired objects, as observed once they are ready. */
export function upAndReady(machine: KubeObject): KubeObject {
  const name = machine.metadata?.name ?? '';
  return withStatus(machine, {
    conditions: [
      { type: 'Ready', reason: 'Available' },
      { type: 'Synced', reason: 'ReconcileSuccess' },
      { type: 'InfrastructureReady', reason: 'Ready' },
      { type: 'NodeHealthy', reason: 'NodeHealthy' },
      { type: 'BootstrapConfigReady', reason: 'Ready' },
    ].map((condition) => ({ ...condition, status: 'True', lastTransitionTime: LONG_AGO })),
    phase: 'Running',
    providerID: 'aws:///eu-west-1a/i-0123456789abcdef0',
    instanceID: 'i-0123456789abcdef0',
    nodeRef: { name },
    nodeConditions: [{ type: 'Ready', status: 'True', lastTransitionTime: LONG_AGO }],
    addresses: [
      { type: 'InternalIP', address: '10.0.64.17' },
      { type: 'InternalDNS', address: 'ip-10-0-64-17.eu-west-1.compute.internal' },
    ],
    version: 'v1.35.4',
    failureDomain: 'eu-west-1a',
    payload: { secretName: `${name}-payload`, format: 'cloud-config', bytes: 9211 },
  });
}
