/** Each function with a settled object: the observed objects, and the reply. */
import type { KubeObject } from '#lib/api/json.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import {
  applied,
  call,
  CHART,
  MANIFESTS,
  NETWORK,
  request as anAddOnRequest,
} from '../../functions/addons/addons.fixture.ts';
import { run as addons } from '../../functions/addons/fn.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { aClaim, anInput, observe, settled } from '../../functions/cluster/cluster.fixture.ts';
import { run as cluster } from '../../functions/cluster/fn.ts';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as machine } from '../../functions/machine/fn.ts';
import { lived, WORLD } from '../../functions/machine/machine.fixture.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { made, request as aPoolRequest } from '../../functions/nodepool/pool.fixture.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';
import { aBootstrappedCluster, machineOf } from '../support/first-boot.ts';
import { afterFirst } from '../sim/releases.ts';
import { AWS } from '../sim/flavours.ts';
import { aNodePool } from '../support/claims.ts';
import { replyOf } from '../support/function-laws.ts';
import { aRequest } from '../support/request.ts';

export interface Subject {
  readonly run: CompositionFunction;
  readonly request: Request;
  readonly reply: ReplyData;
}

/** Providers with Secrets for their cluster. */
export const PROVIDERS = ['kubeadm', 'k0s', 'k3s', 'rke2', 'talos', 'microk8s', 'canonical-kubernetes'] as const;

export async function bootstrapOf(provider: string): Promise<Subject> {
  const { cluster, secrets } = await aBootstrappedCluster({ spec: { bootstrap: { provider } } });
  const first = aRequest({ composite: cluster, observed: secrets });
  const request = observedIn(first, await replyOf(bootstrap, first));
  return { run: bootstrap, request, reply: await replyOf(bootstrap, request) };
}

export async function clusterOf(): Promise<Subject> {
  const { claim, reply } = await settled(aClaim());
  const request = aRequest({ composite: claim, input: anInput(), observed: observe(reply) });
  return { run: cluster, request, reply: await replyOf(cluster, request) };
}

/** Charts and manifests of a claim, and a default of the platform. */
export async function addonsStep(): Promise<Subject> {
  const parts = {
    addons: [CHART, MANIFESTS],
    input: { defaults: [NETWORK] },
    status: { addons: { defaults: 'Installed', version: 'v1.35.4' } },
  };
  const request = anAddOnRequest({ ...parts, observed: applied(await call(parts)) });
  return { run: addons, request, reply: await replyOf(addons, request) };
}

export async function machineStep(): Promise<Subject> {
  const request = await lived(WORLD.joined);
  return { run: machine, request, reply: await replyOf(machine, request) };
}

/**
 * Both steps of the pipeline of a pool.
 * @param cluster whether its Cluster can be read
 */
export async function poolOf(cluster: 'there' | 'unread'): Promise<Subject> {
  const machines = await made(aNodePool());
  const first = aPoolRequest({ machines });
  const seen = observedIn(first, await replyOf(pool, first));
  const request = cluster === 'there' ? seen : { ...seen, required: new Map([['machines', machines]]) };
  return { run: pool, request, reply: await replyOf(pool, request) };
}

const pool: CompositionFunction = async (request, world) =>
  inPlaceUpdate(afterFirst(request, (await nodepool(request, world)).build(), AWS.rules), world);

/** It composes nothing: it passes on what an earlier step desires. */
export async function provisioningStep(): Promise<Subject> {
  const { request } = await machineStep();
  const composite = machineOf('worker');
  const desired = Object.fromEntries([...request.observed.resources].map(([key, { resource }]) => [key, resource]));
  const given = { ...aRequest({ composite, desired }), observed: { ...request.observed, composite } };
  return { run: provisioning, request: given, reply: await replyOf(provisioning, given) };
}

/** Desired objects are observed, and the status is that of the last reply. */
export function observedIn(request: Request, { resources, status }: ReplyData): Request {
  const { composite } = request.observed;
  const seen = [...resources].map(([key, { resource }]) => {
    const before = request.observed.resources.get(key)?.resource;
    return [key, { resource: { ...resource, ...statusOf(before) }, connectionDetails: {} }] as const;
  });
  const updated = { ...composite, status: { ...composite.status, ...status } };
  return { ...request, observed: { composite: updated, resources: new Map(seen) } };
}

function statusOf(object: KubeObject | undefined): Partial<KubeObject> {
  return object?.status === undefined ? {} : { status: object.status };
}
