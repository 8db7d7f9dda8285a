/**
 * Every ✔ of the matrix, read off the registries: whoever adds a bootstrapper or a provisioner adds its pairs here,
 * too.
 */
import { matrix } from '../../cli/matrix/matrix.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';

export interface Pair {
  readonly name: string;
  /** `spec.bootstrap.provider` */
  readonly provider: string;
  /** `spec.provisioning.format` */
  readonly format: string;
}

export const PAIRS: readonly Pair[] = matrix().rows.flatMap(({ provider, fits }) =>
  Object.entries(fits).flatMap(([format, fit]) =>
    // Control planes of Windows there are none; its workers are judged in test/judges.
    fit === 'none' || fit === 'workers' ? [] : [{ name: `${provider} × ${format}`, provider, format }],
  ),
);

/**
 * Bootstrappers whose clusters the embedded engine cannot bring up, and why. First-boot data of their machines is
 * judged all the same.
 */
export const NOT_SIMULATED: Readonly<Record<string, string>> = {
  bottlerocket: 'its control plane is that of EKS, which no Composition makes yet',
  nodeadm: 'its control plane is that of EKS, which no Composition makes yet',
  'canonical-kubernetes':
    'machines that join wait for tokens that a running k8sd mints; one that joins nobody is simulated',
};

/** Whether its machines run files and commands, whatever tells them to. */
export function isScripted({ provider }: Pair): boolean {
  return ['scripted', 'nodeadm'].includes(BOOTSTRAPPERS[provider]?.plan ?? '');
}

/** Whether the cloud runs its control planes, so that all its machines are workers. */
export function isManaged({ provider }: Pair): boolean {
  return ['nodeadm', 'bottlerocket'].includes(BOOTSTRAPPERS[provider]?.plan ?? '');
}
