/** How many requests to API servers something costs: those of provider-node, and those of Crossplane for the team. */
import { requestsIn } from '../audit/log.ts';
import { type Requests, requestsOf } from '../audit/tally.ts';
import type { Lab } from '../lab/lab.ts';
import { hold } from './case.ts';
import { workloadRequests } from './drained.ts';
import { TEAM } from './scene.ts';

/** In words, for each of so many machines. */
export async function costOf(lab: Lab, machines: number, act: () => Promise<void>): Promise<string> {
  const before = await counted(lab);
  await act();
  const after = await counted(lab);
  const each = (of: keyof Requests): number => (after[of] - before[of]) / machines;
  hold('the requests of provider-node and Crossplane are found', each('provider') > 0 && each('crossplane') > 0);
  const [provider, workload, crossplane] = [each('provider'), each('workload'), each('crossplane')];
  return `provider-node ${(provider + workload).toFixed(1)} requests (${workload.toFixed(1)} of them to the workload cluster), Crossplane ${crossplane.toFixed(1)}`;
}

async function counted(lab: Lab): Promise<Requests> {
  return requestsOf(TEAM, requestsIn(lab.kubernetes.audit), await workloadRequests(lab));
}
