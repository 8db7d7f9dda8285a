/** How many requests to API servers something costs: those of all parts of Slipway, and those of Crossplane for the team. */
import { lengthOf, requestsIn } from '../audit/log.ts';
import { crossplaneKinds, kindsOf, type Requests, requestsOf } from '../audit/tally.ts';
import type { Lab } from '../lab/lab.ts';
import { hold } from './case.ts';
import { workloadRequests } from './drained.ts';
import { TEAM } from './scene.ts';

/** In words, for each of so many machines. @param log  gets each kind of request, for all of them together */
export async function costOf(
  lab: Lab,
  machines: number,
  log: (line: string) => void,
  act: () => Promise<void>,
): Promise<string> {
  const before = await counted(lab);
  const from = { management: lengthOf(lab.kubernetes.audit), workload: (await workloadRequests(lab)).length };
  await act();
  const after = await counted(lab);
  const each = (of: keyof Requests): number => (after[of] - before[of]) / machines;
  hold('the requests of provider-node and Crossplane are found', each('provider') > 0 && each('crossplane') > 0);
  hold('functions ask nobody', each('functions') === 0);
  const management = requestsIn(lab.kubernetes.audit, from.management);
  const kinds = kindsOf(management, (await workloadRequests(lab)).slice(from.workload));
  log(`requests of provider-node for ${machines} machines: ${kinds.join(', ')}`);
  log(`requests of Crossplane for ${machines} machines: ${crossplaneKinds(TEAM, management).join(', ')}`);
  const [provider, workload, crossplane] = [each('provider'), each('workload'), each('crossplane')];
  return `functions 0 requests, provider-node ${(provider + workload).toFixed(1)} (${workload.toFixed(1)} of them to the workload cluster; beside them ${each('lease').toFixed(1)} for its lease, by time), Crossplane ${crossplane.toFixed(1)}`;
}

async function counted(lab: Lab): Promise<Requests> {
  return requestsOf(TEAM, requestsIn(lab.kubernetes.audit), await workloadRequests(lab));
}
