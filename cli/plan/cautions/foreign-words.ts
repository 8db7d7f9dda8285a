/** Words in first-boot settings that Cluster API or its images would replace, and files that only they write. */
import { at, stringAt } from '#lib/api/json.ts';
import { foreignFault, MACHINE_VARIABLES, reference, textsIn } from '#lib/api/machine-variables.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import type { ClaimedMachines } from './claimed-machines.ts';

/** Written by the bootstrap provider of Cluster API. */
const FILES = /\/(run\/kubeadm|run\/cluster-api|etc\/kubeadm\.yml)\b/;

const MOST = 3;

/** Undefined: there are none, or the claim writes the file itself. A unit may read variables from a file of its image. */
export function foreignWordsCaution({ claim }: Pick<ClaimedMachines, 'claim'>): string | undefined {
  const provisioning = at(claim.spec, 'provisioning');
  const written = listAt(provisioning, 'files').map((file) => stringAt(file, 'path') ?? '');
  const found = ['files', 'commands', 'units'].flatMap((field) =>
    textsIn(at(provisioning, field), `spec.provisioning.${field}`).filter(
      ([, text]) => (field !== 'units' && foreignFault(text) !== undefined) || readsOthers(text, written),
    ),
  );
  if (found.length === 0) return undefined;
  const places = firstNames(
    found.map(([path]) => path),
    MOST,
  );
  return `${describeObject(claim)} has words or files of Cluster API that nothing replaces or writes here, in ${places}; instead: ${MACHINE_VARIABLES.map(reference).join(', ')} (docs/first-boot.md#values-of-the-machine)`;
}

function readsOthers(text: string, written: readonly string[]): boolean {
  return FILES.test(text) && !written.some((path) => path !== '' && FILES.test(path) && text.includes(path));
}

function listAt(value: unknown, field: string): readonly unknown[] {
  const list: unknown = at(value, field);
  return Array.isArray(list) ? list : [];
}
