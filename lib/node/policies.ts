/**
 * What may be done about a WorkloadNode: `spec.managementPolicies` and the annotation that pauses, as every Crossplane
 * provider has them.
 */
import type { z } from 'zod';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { ManagementAction } from '#lib/api/kinds/workload-node.ts';
import { CROSSPLANE } from '#lib/api/words.ts';

export type Permission = Exclude<z.output<typeof ManagementAction>, '*'>;

export type Policy =
  | { readonly way: 'Paused'; readonly by: string }
  /** The set is none of those that Crossplane knows. */
  | { readonly way: 'Refused'; readonly message: string }
  | { readonly way: 'Act'; readonly may: ReadonlySet<Permission> };

const ALL: readonly Permission[] = ['Observe', 'Create', 'Update', 'Delete', 'LateInitialize'];

/** The sets that crossplane-runtime supports, besides `*` and the empty one. O, C, U, D, L: the words of `ALL`. */
const SUPPORTED: ReadonlySet<string> = new Set([
  'OCUDL',
  'OCUD',
  'OCUL',
  'OCU',
  'OCDL',
  'OCL',
  'OCD',
  'OC',
  'OD',
  'OU',
  'OL',
  'OUL',
  'O',
]);

export function policyOf(object: KubeObject): Policy {
  if (stringAt(object, 'metadata', 'annotations', CROSSPLANE.paused) === 'true')
    return { way: 'Paused', by: `the annotation ${CROSSPLANE.paused}` };
  const asked = at(object, 'spec', 'managementPolicies');
  const words = new Set(Array.isArray(asked) ? (asked as readonly unknown[]) : ['*']);
  if (words.size === 0) return { way: 'Paused', by: 'spec.managementPolicies, which is empty' };
  if (words.size === 1 && words.has('*')) return { way: 'Act', may: new Set(ALL) };
  const may = new Set(ALL.filter((one) => words.has(one)));
  const letters = [...may].map((one) => one.charAt(0)).join('');
  if (may.size === words.size && SUPPORTED.has(letters)) return { way: 'Act', may };
  return { way: 'Refused', message: refusalOf([...words].join(', ')) };
}

/** Whether nothing at all may be changed. */
export function isObserveOnly(may: ReadonlySet<Permission>): boolean {
  return may.size === 1 && may.has('Observe');
}

function refusalOf(words: string): string {
  return `cannot accept spec.managementPolicies: [${words}] is not supported; accepted: [*], [], or Observe with one of ${[
    ...SUPPORTED,
  ]
    .filter((one) => one !== 'O' && one !== 'OCUDL')
    .map(nameOf)
    .join(', ')} or nothing`;
}

/** `Create+Update` for OCU. */
function nameOf(letters: string): string {
  return ALL.filter((one) => one !== 'Observe' && letters.includes(one.charAt(0))).join('+');
}
