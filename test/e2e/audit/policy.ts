/**
 * What the API servers of the lab write down: every request of the parts that Slipway brings, with the time of the
 * server.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

const OMIT = { omitStages: ['RequestReceived', 'Panic'] } as const;

/** Of the management cluster: what Crossplane and providers ask for. */
export const MANAGEMENT_RULES = [
  { level: 'Metadata', userGroups: ['system:serviceaccounts:crossplane-system'], ...OMIT },
  { level: 'None' },
] as const;

/** Of a workload cluster: what anybody asks for, and what is changed on a Node. */
export const WORKLOAD_RULES = [
  { level: 'None', users: ['system:apiserver'] },
  { level: 'Request', verbs: ['patch'], resources: [{ group: '', resources: ['nodes'] }], ...OMIT },
  { level: 'Metadata', ...OMIT },
] as const;

/** Megabytes: whoever counts reads one file, which must not be rotated. */
const LARGEST = 10_000;

/** Flags of kube-apiserver, and the file that it will write. */
export function auditing(
  folder: string,
  rules: readonly unknown[],
): { readonly flags: readonly string[]; readonly file: string } {
  const [policy, file] = [join(folder, 'audit-policy.yaml'), join(folder, 'audit.log')];
  writeFileSync(policy, stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  return {
    flags: [`--audit-policy-file=${policy}`, `--audit-log-path=${file}`, `--audit-log-maxsize=${LARGEST}`],
    file,
  };
}
