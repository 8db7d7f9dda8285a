/** Registrations of a machine with its load balancers: created once its id is known, and then kept. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';

type Entry = readonly [key: string, resource: KubeObject];
interface Target {
  readonly id: string;
  readonly port: number;
}

/** @param key  composition resource name */
export function isRegistration(key: string): boolean {
  return /^target-\d+$/.test(key);
}

export function registrations(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  instanceId: string | undefined,
): readonly Entry[] {
  const existing = [...situation.observed]
    .filter(([key]) => isRegistration(key))
    .map(([key, object]): Entry => [key, asDesired(object)]);
  const targets = attachmentsOf(situation, infrastructure)?.loadBalancerTargets;
  if (targets === undefined) return existing; // the Cluster does not report any; that is no reason to remove one
  const kept = existing.filter(([, object]) => targets.some((target) => registers(object, target)));
  if (instanceId === undefined) return kept;
  const missing = targets.filter((target) => !kept.some(([, object]) => registers(object, target)));
  const taken = new Set(existing.map(([key]) => key));
  const free = Array.from({ length: taken.size + missing.length }, (_, n) => `target-${n}`).filter(
    (key) => !taken.has(key),
  );
  const added = missing.map((target, n): Entry => {
    const key = free[n] ?? '';
    return [key, registration(situation, infrastructure.region, key, target, instanceId)];
  });
  return [...kept, ...added];
}

function registers(object: KubeObject, { id, port }: Target): boolean {
  const made = at(object, 'spec', 'forProvider');
  return at(made, 'targetGroupArn') === id && at(made, 'port') === port;
}

// References cannot cross XRs, so the instance id is a value; both ids are part of the identity of a registration.
function registration(
  situation: Situation,
  region: string,
  key: string,
  { id, port }: Target,
  instanceId: string,
): KubeObject {
  const name = `${situation.machine.metadata.name}-${key}`;
  const forProvider = { region, targetGroupArn: id, targetId: instanceId, port };
  return managed(situation, 'LBTargetGroupAttachment', name, forProvider);
}
