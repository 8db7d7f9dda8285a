/** As whom workload clusters were asked, and what their roles refused. */
import type { Request } from './log.ts';

/** The user of the roles in docs/install/workload-cluster.yaml. */
export const PROVIDER_NODE = 'slipway:provider-node';

/** How helm calls itself, how it calls itself when it writes a chart, and provider-kubernetes, which has no name of its own. */
const ADD_ONS = /^(Helm|Go-http-client|provider)\//;

/** Add-ons are applied as the administrator. */
export function isOfAddOns({ userAgent = '' }: Request): boolean {
  return ADD_ONS.test(userAgent);
}

/** Users other than these, each once. */
export function strangers(requests: readonly Request[], known: readonly string[]): readonly string[] {
  const names = new Set(requests.map(({ user }) => user.username));
  return [...names].filter((name) => !known.includes(name)).toSorted();
}

/**
 * What a user was refused and was not granted afterwards, each once: `delete nodes/status in kube-system`. An API server
 * that starts refuses for a moment what it grants when it has read its roles.
 */
export function refused(requests: readonly Request[], user: string): readonly string[] {
  const last = new Map<string, boolean>();
  for (const request of requests)
    if (request.user.username === user) last.set(inWords(request), request.responseStatus?.code === 403);
  return [...last].flatMap(([what, isRefused]) => (isRefused ? [what] : [])).toSorted();
}

function inWords({ verb, objectRef: { resource = '', subresource, namespace } = {} }: Request): string {
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  return `${verb} ${what}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
