/** What provider-node may ask Kubernetes APIs for, and whether a request is within it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export interface Rule {
  readonly apiGroups: readonly string[];
  /** With subresource: `pods/eviction`; `*` and `*`/subresource are wildcards. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Only in this namespace; undefined: everywhere. */
  readonly namespace?: string;
}

const OWN = ['get', 'list', 'watch', 'update', 'patch', 'create'];
const ALL = [...OWN, 'delete'];

/** What the RBAC manager of Crossplane v2.4.2 grants the provider of a package with our CRDs, in every namespace. */
export const GRANTED: readonly Rule[] = [
  {
    apiGroups: ['node.slipway.dev'],
    resources: ['workloadnodes', 'providerconfigs', 'clusterproviderconfigs', 'providerconfigusages', '*/status'],
    verbs: OWN,
  },
  { apiGroups: ['node.slipway.dev'], resources: ['*/finalizers'], verbs: ['update'] },
  { apiGroups: [''], resources: ['secrets', 'configmaps', 'events'], verbs: ALL },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ALL },
];

interface Role {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
  readonly rules: readonly Rule[];
}

/** The roles of docs/install/workload-cluster.yaml. */
export function inWorkloadClusters(): readonly Rule[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/install/workload-cluster.yaml'), 'utf8');
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Role);
  return objects
    .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    .flatMap(({ rules, metadata: { namespace } }) =>
      rules.map((rule) => (namespace === undefined ? rule : { ...rule, namespace })),
    );
}

/** @param right  `VERB GROUP/RESOURCE[/SUBRESOURCE] NAMESPACE`, as `LiveApi.used` has it */
export function isGranted(right: string, rules: readonly Rule[]): boolean {
  const [verb = '', path = '', namespace = ''] = right.split(' ');
  const slash = path.indexOf('/');
  const [group, resource] = [path.slice(0, slash), path.slice(slash + 1)];
  const subresource = resource.split('/')[1];
  const isNamed = (one: string): boolean =>
    one === resource || (subresource !== undefined && one === `*/${subresource}`);
  return rules.some(
    (rule) =>
      rule.apiGroups.includes(group) &&
      rule.verbs.includes(verb) &&
      rule.resources.some(isNamed) &&
      (rule.namespace === undefined || rule.namespace === namespace),
  );
}
