/** Whether machines were drained before they went, from what both API servers and the cloud recorded. */
import { historyOf, type Step, undrained } from '../audit/history.ts';
import { type Request, requestsIn } from '../audit/log.ts';
import type { Lab } from '../lab/lab.ts';
import { until } from '../lab/waiting.ts';
import { KEEPS_RUNNING, nodeRef, workOn } from '../workload/kubelets.ts';
import { hold } from './case.ts';
import { TEAM } from './scene.ts';

/** Requests to all workload clusters, in the order of time for each of them. */
export async function workloadRequests({ workloads }: Lab): Promise<readonly Request[]> {
  return (await workloads.audits()).flatMap((file) => requestsIn(file));
}

/** What happened to the machine and to its Node. */
export async function history(lab: Lab, name: string): Promise<readonly Step[]> {
  const gone = lab.cloud.machines.findLast((one) => one.name === name && one.change === 'gone');
  return historyOf(name, workOn(name).name, {
    management: requestsIn(lab.kubernetes.audit),
    workload: await workloadRequests(lab),
    terminated: gone?.at,
  });
}

/** Every one of them was cordoned, emptied and taken out of its cluster before the cloud deleted it. */
export async function drainedFirst(lab: Lab, names: readonly string[]): Promise<void> {
  hold('there are machines to ask about', names.length > 0);
  for (const name of names) {
    await until(`machine ${name} is gone from the cloud`, { seconds: 120 }, () =>
      lab.cloud.machines.some((one) => one.name === name && one.change === 'gone')
        ? { found: true }
        : { yet: 'it is there' },
    );
    const trouble = undrained(await history(lab, name));
    hold(`machine ${name} was drained before it was terminated`, trouble === undefined, trouble);
  }
}

/** While the machine was stopped by the cloud, no pod of a team ran on it. */
export async function emptyWhenStopped(lab: Lab, name: string): Promise<void> {
  const stopped = lab.cloud.machines.find((one) => one.name === name && one.change === 'stopped');
  hold(`machine ${name} was stopped`, stopped !== undefined);
  const before = (await history(lab, name)).filter(({ at }) => at < (stopped?.at ?? '')).map(({ what }) => what);
  hold(
    `machine ${name} was empty when it was stopped`,
    before.join().startsWith('cordoned,evicted,empty'),
    before.join(),
  );
}

/** A pod on the machine runs on although it was told to end, until the returned function is called. */
export async function busy(lab: Lab, name: string): Promise<() => Promise<void>> {
  const [cluster] = await lab.workloads.all();
  if (cluster === undefined) throw new Error('no workload cluster runs');
  const { api } = cluster.server;
  const keep = async (value: string | null): Promise<void> =>
    void (await api.patch(workOn(name), { metadata: { annotations: { [KEEPS_RUNNING]: value } } }));
  await keep('yes');
  return () => keep(null);
}

/** The drain of the machine waits for a pod: its Node is cordoned, and both are there. */
export async function waitsForItsPod(lab: Lab, name: string): Promise<void> {
  const object = { apiVersion: 'node.slipway.dev/v1alpha1', kind: 'WorkloadNode', namespace: TEAM, name };
  await until(`WorkloadNode ${name} reports its drain`, { seconds: 60 }, async () => {
    const said = JSON.stringify((await lab.api.get(object)).status?.['conditions']);
    return said.includes('"reason":"Draining"') ? { found: true } : { yet: said };
  });
  const [cluster] = await lab.workloads.all();
  const node = await cluster?.server.api.find(nodeRef(name));
  hold(`Node ${name} is cordoned`, node?.spec?.['unschedulable'] === true);
}
