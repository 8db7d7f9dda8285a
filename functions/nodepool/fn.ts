/**
 * Decides what each machine of a pool should be: how many, in which slot, where, named how, made of what. It
 * never looks at what a machine is made of now – getting from one to the other is the next step's decision.
 */
import { seconds } from '#lib/api/fields/text.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { API_VERSION, CONTEXT, LABEL, TTL } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { Reply } from '#lib/fn/reply.ts';
import { compose } from './compose.ts';
import { leavingOf, nextSerial } from './leaving.ts';
import { report } from './report.ts';
import { readCluster, readSituation, type Situation } from './situation.ts';
import { templateOf } from './template.ts';
import { planVersion } from './version.ts';

export const run: CompositionFunction = (request, { now }) => {
  const situation = readSituation(request);
  const { pool, input } = situation;
  const { name, namespace } = pool.metadata;
  const reply = new Reply(request);
  // What changes on its Cluster – version, bootstrap, provisioning – nobody tells it.
  reply.ttl(input.ttl === undefined ? TTL.following : seconds(input.ttl));

  const clusters = reply.require('cluster', {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    namespace,
    matchName: pool.spec.clusterRef.name,
  });
  const all = reply.require('machines', {
    apiVersion: API_VERSION,
    kind: 'Machine',
    namespace,
    matchLabels: { [LABEL.nodePool]: name },
  });
  const leaving = leavingOf(all ?? [], request);
  const [object] = clusters ?? [];
  const cluster = object === undefined ? undefined : readCluster(object);
  reply.context(CONTEXT.leaving, leaving.length);
  const waiting = all === undefined ? 'waiting for the list of machines' : waitingFor(situation, cluster);
  const version = cluster && planVersion(pool, cluster, situation.machines, situation.owner);

  if (cluster === undefined || version?.version === undefined || waiting !== undefined) {
    keepAll(reply, situation);
    report(reply, situation, {
      waiting: waiting ?? `waiting for the control plane of Cluster ${pool.spec.clusterRef.name}`,
      notes: [],
      pending: situation.previous.pendingRemediations,
      heldVersion: version?.held,
      leaving: leaving.length,
      nextSerial: nextSerial(situation, leaving),
      now: now.getTime(),
    });
    return reply.notReady();
  }
  if (version.held !== undefined) reply.ttl(TTL.underWay);
  compose(reply, situation, { template: templateOf(pool, cluster, version.version), version, cluster, leaving, now });
  return reply;
};

/** What must be there before the pool can make machines. One that has machines goes on with what it has. */
function waitingFor({ pool, machines }: Situation, cluster: Cluster | undefined): string | undefined {
  const { name } = pool.spec.clusterRef;
  if (cluster === undefined) return `waiting for Cluster "${pool.metadata.namespace}/${name}": not found`;
  if (machines.length > 0) return undefined;
  if (cluster.status?.infrastructure?.ready !== true) return `waiting for the infrastructure of Cluster ${name}`;
  if (cluster.status.controlPlaneEndpoint === undefined)
    return `waiting for the control-plane endpoint of Cluster ${name}`;
  const initialized = cluster.status.controlPlane?.initialized === true;
  if (pool.spec.role === 'worker' && !initialized)
    return `waiting for the control plane of Cluster ${name} to be initialized`;
  return undefined;
}

function keepAll(reply: Reply, { machines }: Situation): void {
  for (const { key, object, ready } of machines) reply.compose(key, asDesired(object), ready);
}
