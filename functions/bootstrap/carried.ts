/** What control planes carry of their cluster's authorities: each a pair of files below one folder. */
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Secrets } from './machine-secrets.ts';
import { asPair, type Part } from './parts.ts';
import { planFile } from './plan-file.ts';

export interface CarriedPart {
  readonly part: Part;
  /** Path below the folder, as the key's. Left out: only the key is carried. */
  readonly cert?: string;
  readonly key: string;
}

/**
 * Private keys for root alone, whoever else may read the certificates.
 * @param certMode  0644 where what reads them is not root
 */
export function carriedFiles(
  folder: string,
  carried: readonly CarriedPart[],
  secrets: Secrets,
  certMode: '0640' | '0644',
): readonly PlanFile[] {
  return carried.flatMap(({ part, cert, key }) => {
    const pair = asPair(secrets.of(part));
    const certificate = cert === undefined ? [] : [planFile(`${folder}/${cert}`, pair.cert, certMode)];
    return [...certificate, planFile(`${folder}/${key}`, pair.key, '0600')];
  });
}
