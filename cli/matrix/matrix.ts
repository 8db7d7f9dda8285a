/**
 * slipway matrix: which bootstrapper works with which first-boot format, from the same registries that the functions
 * use.
 */
import { canExpress } from '#lib/cloud/expressible.ts';
import type { PlanTrait } from '#lib/cloud/traits.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { bootstrapperTraits } from '../../functions/bootstrap/traits.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';

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
  const rows = Object.keys(BOOTSTRAPPERS)
    .toSorted()
    .map((provider) => ({
      provider,
      fits: Object.fromEntries(formats.map((format) => [format, fit(format, bootstrapperTraits(provider).plan)])),
    }));
  return { formats, rows, limits: formats.flatMap(limitsOf) };
}

function fit(format: string, plan: PlanTrait | undefined): Fit {
  const provisioner = PROVISIONERS[format];
  if (provisioner === undefined || plan === undefined) return 'none';
  const { kind, needs, os: systems = ['linux'] } = plan;
  if (!systems.some((os) => canExpress(provisioner, kind, needs, os))) return 'none';
  if (provisioner.os === 'windows') return 'workers';
  return Object.keys(provisioner.limits).length === 0 ? 'whole' : 'limits';
}

function limitsOf(format: string): readonly Limit[] {
  return Object.entries(PROVISIONERS[format]?.limits ?? {}).map(([field, instead]) => ({ format, field, instead }));
}
