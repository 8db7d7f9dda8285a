/**
 * slipway matrix: which bootstrapper works with which first-boot format, from the same registries that the functions
 * use.
 */
import type { Bootstrapper } from '../../functions/bootstrap/bootstrapper.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { canSay, PROVISIONERS } from '../../functions/provisioning/registry.ts';

/** Fields of `spec.provisioning` that a format cannot express, each with an alternative. */
export interface Limit {
  readonly format: string;
  readonly field: string;
  readonly instead: string;
}

/**
 * whole: every field of a claim; limits: except for the limits of the format; workers: only Windows workers; none: the
 * claim is refused.
 */
export type Fit = 'whole' | 'limits' | 'workers' | 'none';

export interface Matrix {
  /** `spec.provisioning.format`, in the order of the columns. */
  readonly formats: readonly string[];
  readonly rows: readonly { readonly provider: string; readonly fits: Readonly<Record<string, Fit>> }[];
  readonly limits: readonly Limit[];
}

export function matrix(): Matrix {
  const formats = Object.keys(PROVISIONERS).toSorted();
  const rows = Object.entries(BOOTSTRAPPERS)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([provider, bootstrapper]) => ({
      provider,
      fits: Object.fromEntries(formats.map((format) => [format, fit(format, bootstrapper)])),
    }));
  return { formats, rows, limits: formats.flatMap(limitsOf) };
}

function fit(format: string, { plan, needs, os: systems = ['linux'] }: Bootstrapper): Fit {
  const provisioner = PROVISIONERS[format];
  if (provisioner === undefined || !systems.some((os) => canSay(provisioner, plan, needs, os))) return 'none';
  if (provisioner.os === 'windows') return 'workers';
  return Object.keys(provisioner.limits).length === 0 ? 'whole' : 'limits';
}

function limitsOf(format: string): readonly Limit[] {
  return Object.entries(PROVISIONERS[format]?.limits ?? {}).map(([field, instead]) => ({ format, field, instead }));
}
