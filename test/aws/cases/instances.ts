/** Machines of a pool, in the cluster and in AWS. */
import { machinesOf, nameOf } from '../../e2e/cases/scene.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { ENDED, type Instance } from '../cloud/aws.ts';
import type { Call } from '../cloud/call.ts';
import type { AwsLab } from '../lab/aws-lab.ts';
import { runsOf } from './seen.ts';

export async function namesOf(lab: AwsLab, pool?: string): Promise<readonly string[]> {
  return (await machinesOf(lab, pool)).map(nameOf).toSorted();
}

/** Of the pool, or of the whole cluster: those that AWS has not terminated. */
export async function instancesOf(lab: AwsLab, pool?: string): Promise<readonly Instance[]> {
  const names = new Set(await namesOf(lab, pool));
  const all = await lab.aws.instances();
  return all
    .filter(({ tags, state }) => names.has(tags.get('Name') ?? '') && !ENDED.has(state))
    .toSorted((a, b) => a.id.localeCompare(b.id));
}

/** Machines of the cluster that AWS has not terminated, whether an object has them or not. */
export async function ownedInstances({ aws }: AwsLab): Promise<readonly Instance[]> {
  return (await aws.instances()).filter(({ tags, state }) => isOwned(tags) && !ENDED.has(state));
}

export function isOwned(tags: ReadonlyMap<string, string>): boolean {
  return [...tags.keys()].some((key) => key.startsWith('kubernetes.io/cluster/'));
}

export const idsOf = (instances: readonly Instance[]): string => instances.map(({ id }) => id).join();

/** Actions about one id, in the order of time. */
export function actionsAbout(id: string, calls: readonly Call[], actions: readonly string[]): readonly string[] {
  return calls.filter((call) => call.about === id && actions.includes(call.action)).map(({ action }) => action);
}

export function countOf(calls: readonly Call[], action: string): number {
  return calls.filter((call) => call.action === action && call.error === undefined).length;
}

/** Machines for which AWS was asked more than once, or not at all. */
export function notOnce(names: readonly string[], calls: readonly Call[]): readonly string[] {
  const runs = runsOf(calls);
  return names.filter((name) => runs.get(name) !== 1);
}

/** Waits until the cluster's machines in AWS are those of its Machines, one each. */
export async function oneEach(lab: AwsLab, seconds: number): Promise<number> {
  return until('AWS runs one machine for each Machine', { seconds, every: 1000 }, async () => {
    const names = await namesOf(lab);
    const running = (await ownedInstances(lab)).map(({ tags }) => tags.get('Name') ?? '').toSorted();
    return names.join() === running.join()
      ? { found: names.length }
      : { yet: `${names.join()}; in AWS: ${running.join()}` };
  });
}
