/**
 * Follows docs/install.md: the claims of the example become a Ready cluster. Every object is created once, and only the
 * claims are applied.
 */
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { type Case, hold } from './case.ts';
import { follow, INSTALL } from './documented.ts';
import { SLIPWAY, TEAM, clusterRef, instancesMade, isReady, machinesOf, poolSettles } from './scene.ts';

const LIMIT_SECONDS = 300;

export const claimCase: Case = {
  name: 'claim',
  after: ['install'],
  defaults: true,
  counted: true,
  async run(lab) {
    await follow(lab, INSTALL, 'Claim a cluster');
    await poolSettles(lab, 'prod-general', 3, LIMIT_SECONDS);
    await poolSettles(lab, 'prod-memory', 2, LIMIT_SECONDS);
    await poolSettles(lab, 'prod-control-plane', 3, LIMIT_SECONDS);
    await until('the Cluster is Ready', { seconds: 60 }, async () => {
      const cluster = await lab.api.get(clusterRef('prod'));
      return isReady(cluster) ? { found: true } : { yet: JSON.stringify(cluster.status?.['conditions']) };
    });
    const machines = await machinesOf(lab);
    const pools = await lab.api.list({ apiVersion: SLIPWAY, kind: 'NodePool', namespace: TEAM });
    hold('there are eight machines in three pools', machines.length === 8 && pools.length === 3);
    hold('every machine was made once', instancesMade(lab) === 8, String(instancesMade(lab)));
    await onlyProviderReports(lab);
    hold(
      'the cloud saw nothing impossible',
      lab.cloud.front.violations.length === 0,
      lab.cloud.front.violations.join(),
    );
    return '1 Cluster, 3 NodePools, 8 Machines';
  },
};

/** Status of a WorkloadNode comes from provider-node, and from nobody else. */
async function onlyProviderReports({ api }: Lab): Promise<void> {
  const objects = await api.list({ apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', namespace: TEAM });
  const entries = objects.flatMap((object) => (at(object, 'metadata', 'managedFields') ?? []) as readonly JsonObject[]);
  const reports = entries.filter((entry) => entry['subresource'] === 'status');
  const writers = [...new Set(reports.map((entry) => stringAt(entry, 'manager') ?? ''))];
  hold('there are eight WorkloadNodes', objects.length === 8, String(objects.length));
  hold('only provider-node reports on them', writers.join() === 'provider-node', writers.join());
}
