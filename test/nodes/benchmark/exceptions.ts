/** Checks of the benchmark that do not pass, and the page that says why. */

export interface Failure {
  /** Such as KCV-0001. */
  readonly check: string;
  /** Its number in the benchmark. */
  readonly control: string;
  readonly title: string;
  readonly on: Role;
}

export type Role = 'control plane' | 'worker';

export interface Exception {
  readonly check: string;
  readonly control: string;
  readonly on: readonly Role[];
  readonly reason: string;
}

const ROW = /^\| `(?<check>KCV-\d{4})`\s*\| (?<control>[\d.]+)\s*\| (?<on>[^|]*)\| [^|]*\| (?<reason>[^|]*)\|$/gm;
const ROLES: Readonly<Record<string, readonly Role[]>> = {
  'control plane': ['control plane'],
  worker: ['worker'],
  both: ['control plane', 'worker'],
};

/** The rows of the table in docs/security.md. */
export function exceptionsIn(page: string): readonly Exception[] {
  return [...page.matchAll(ROW)].map(({ groups = {} }) => {
    const { check = '', control = '', on = '', reason = '' } = groups;
    return { check, control, on: ROLES[on.trim()] ?? [], reason: reason.trim() };
  });
}

/** One line for each failure without an exception, and for each exception without a failure. */
export function differences(failures: readonly Failure[], exceptions: readonly Exception[]): readonly string[] {
  const found = new Set(failures.map(({ check, control, on }) => [check, control, on].join()));
  const listed = exceptions.flatMap(({ check, control, on }) => on.map((role) => ({ check, control, role })));
  const known = new Set(listed.map(({ check, control, role }) => [check, control, role].join()));
  return [
    ...failures
      .filter(({ check, control, on }) => !known.has([check, control, on].join()))
      .map(({ check, control, title, on }) => `${check} (${control}) fails on a ${on}: ${title}`),
    ...listed
      .filter(({ check, control, role }) => !found.has([check, control, role].join()))
      .map(({ check, control, role }) => `${check} (${control}) is an exception that a ${role} does not need`),
    ...exceptions
      .filter(({ on }) => on.length === 0)
      .map(({ check }) => `${check} says neither control plane, worker nor both`),
    ...exceptions.filter(({ reason }) => reason === '').map(({ check }) => `${check} has no reason`),
  ];
}
