/** As whom workload clusters were asked, and what their roles refused. */
import type { Request } from './log.ts';

/** The user of the roles in docs/install/workload-cluster.yaml. */
export const PROVIDER_NODE = 'slipway:provider-node';

/** Users other than these, each once. */
export function strangers(requests: readonly Request[], known: readonly string[]): readonly string[] {
  const names = new Set(requests.map(({ user }) => user.username));
  return [...names].filter((name) => !known.includes(name)).toSorted();
}

/** What was refused to a user, each once: `delete nodes/status in kube-system`. */
export function refused(requests: readonly Request[], user: string): readonly string[] {
  const found = requests.filter((one) => one.user.username === user && one.responseStatus?.code === 403);
  return [...new Set(found.map(inWords))].toSorted();
}

function inWords({ verb, objectRef: { resource = '', subresource, namespace } = {} }: Request): string {
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  return `${verb} ${what}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
