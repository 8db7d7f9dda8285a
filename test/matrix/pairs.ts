/** Every ✔ of the matrix, from the registries: a new bootstrapper or provisioner adds its pairs here automatically. */
import { matrix } from '../../cli/matrix/matrix.ts';
import { bootstrapperTraits } from '../../functions/bootstrap/traits.ts';

export interface Pair {
  readonly name: string;
  /** `spec.bootstrap.provider` */
  readonly provider: string;
  /** `spec.provisioning.format` */
  readonly format: string;
}

export const PAIRS: readonly Pair[] = matrix().rows.flatMap(({ provider, fits }) =>
  Object.entries(fits).flatMap(([format, fit]) =>
    // There are no control planes on Windows; test/judges covers its workers.
    fit === 'none' || fit === 'workers' ? [] : [{ name: `${provider} × ${format}`, provider, format }],
  ),
);

/**
 * Bootstrappers whose clusters the embedded engine cannot start, and why. First-boot data of their machines is
 * validated nevertheless.
 */
export const NOT_SIMULATED: Readonly<Record<string, string>> = {
  bottlerocket: 'its control plane is that of EKS, which no Composition makes yet',
  nodeadm: 'its control plane is that of EKS, which no Composition makes yet',
};

/** Whether its machines run files and commands, in whatever format. */
export function isScripted({ provider }: Pair): boolean {
  return ['scripted', 'nodeadm'].includes(bootstrapperTraits(provider).plan?.kind ?? '');
}

/** Whether the control plane runs in the cloud, so that all its machines are workers. */
export function isManaged({ provider }: Pair): boolean {
  return ['nodeadm', 'bottlerocket'].includes(bootstrapperTraits(provider).plan?.kind ?? '');
}
