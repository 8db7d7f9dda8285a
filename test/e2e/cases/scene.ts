/** What cases read and do: claims, pools, machines, and what the cloud created. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { ROOT } from '../binaries/find.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { condition } from '../packages/install.ts';

export const SLIPWAY = 'slipway.dev/v1alpha1';
export const TEAM = 'team-a';
export const INSTANCE = { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' } as const;

export function documents(path: string): readonly KubeObject[] {
  return parseAllDocuments(readFileSync(join(ROOT, path), 'utf8')).map((document) => document.toJS() as KubeObject);
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

export function clusterRef(name: string) {
  return { apiVersion: SLIPWAY, kind: 'Cluster', namespace: TEAM, name } as const;
}

export function poolRef(name: string) {
  return { apiVersion: SLIPWAY, kind: 'NodePool', namespace: TEAM, name } as const;
}

/** Machines of a pool, terminating ones too, or of the whole team. */
export function machinesOf({ api }: Lab, pool?: string): Promise<readonly KubeObject[]> {
  const labels = pool === undefined ? {} : { labels: { 'slipway.dev/nodepool': pool } };
  return api.list({ apiVersion: SLIPWAY, kind: 'Machine', namespace: TEAM, ...labels });
}

export function isReady(object: KubeObject): boolean {
  return condition(object, 'Ready')?.['status'] === 'True';
}

export function isGoing(object: KubeObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

export function nameOf(object: KubeObject): string {
  return object.metadata?.name ?? '';
}

export function statusNumber(object: KubeObject, field: string): number {
  const value = at(object, 'status', field);
  return typeof value === 'number' ? value : 0;
}

/** Waits until a pool has that many machines, all of them up to date and ready, and none being deleted. */
export async function poolSettles(lab: Lab, pool: string, replicas: number, seconds: number): Promise<void> {
  await until(`NodePool ${pool} has ${replicas} machines, up to date and ready`, { seconds, every: 500 }, async () => {
    const [object, machines] = [await lab.api.get(poolRef(pool)), await machinesOf(lab, pool)];
    const counts = ['replicas', 'readyReplicas', 'upToDateReplicas'].map((field) => statusNumber(object, field));
    const settled = counts.every((count) => count === replicas) && machines.length === replicas && isReady(object);
    const going = machines.filter(isGoing).length;
    return settled && machines.every(isReady)
      ? { found: true }
      : { yet: `replicas, ready, up to date: ${counts.join(', ')}; ${machines.length} machines, ${going} going` };
  });
}

/** Waits until a Machine that was deleted is gone; its node stays until it is drained. */
export async function machineGoes(lab: Lab, pool: string, name: string): Promise<void> {
  await until(`Machine ${name} is gone`, { seconds: 120 }, async () => {
    const names = (await machinesOf(lab, pool)).map(nameOf);
    return names.includes(name) ? { yet: names.join() } : { found: true };
  });
}

/** Machines in the cloud that the fake providers created since they started. */
export function instancesMade({ cloud }: Lab): number {
  return cloud.front.counts('cloudCreated')['Instance'] ?? 0;
}

export function instancesDeleted({ cloud }: Lab): number {
  return cloud.front.counts('cloudDeleted')['Instance'] ?? 0;
}

/** The authority of a cluster, which must never change while the cluster exists. */
export async function authorityOf({ api }: Lab, cluster: string): Promise<string> {
  const secrets = ['ca', 'etcd', 'proxy', 'sa'].map(async (suffix) => {
    const ref = { apiVersion: 'v1', kind: 'Secret', namespace: TEAM, name: `${cluster}-${suffix}` };
    const secret = await api.get(ref);
    return `${secret.metadata?.uid ?? ''} ${JSON.stringify(secret['data'])}`;
  });
  return (await Promise.all(secrets)).join('\n');
}

export function compositionOf(object: KubeObject): string {
  return stringAt(object, 'spec', 'crossplane', 'compositionRef', 'name') ?? '';
}
