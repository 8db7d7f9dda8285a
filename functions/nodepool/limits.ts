/** What the platform lets claims of this Composition choose: whoever may write a claim does not own the account. */
import { isLike } from '#lib/api/pattern.ts';
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { inputName } from '#lib/fn/input.ts';
import { refusedOverride } from '#lib/fn/overrides.ts';
import type { NodePoolInput } from './input.ts';
import type { SizedPool } from './size.ts';

/** Throws InvalidClaim for the first choice outside. */
export function refuseOutside({ spec }: SizedPool, { limits, overrides }: NodePoolInput, owner: string): void {
  const { replicas, machine, infrastructure } = spec;
  const { rootDisk } = machine;
  const outside = (field: string, value: unknown, limit: string, accepted: string) =>
    refusal(owner, field, value, `${accepted} (limits.${limit} in ${inputName('NodePoolInput')})`);

  if (limits.replicas !== undefined && replicas > limits.replicas)
    throw outside('spec.replicas', replicas, 'replicas', `at most ${limits.replicas}`);
  for (const field of ['class', 'instanceType'] as const)
    if (isOutside(machine[field], limits.sizes))
      throw outside(`spec.machine.${field}`, machine[field], 'sizes', listed(limits.sizes));
  if (isOutside(machine.image, limits.images))
    throw outside('spec.machine.image', machine.image, 'images', listed(limits.images));
  if (limits.diskSizeGiB !== undefined && rootDisk.sizeGiB > limits.diskSizeGiB)
    throw outside('spec.machine.rootDisk.sizeGiB', rootDisk.sizeGiB, 'diskSizeGiB', `at most ${limits.diskSizeGiB}`);
  if (limits.encryptedDisks && !rootDisk.encrypted)
    throw outside('spec.machine.rootDisk.encrypted', false, 'encryptedDisks', 'true');
  // The machine step refuses them as well, but then every machine has them already.
  const stated = { statedIn: inputName('NodePoolInput'), ...(overrides === undefined ? {} : { allowed: overrides }) };
  for (const [index, override] of infrastructure.overrides.entries()) {
    const issue = refusedOverride(override, stated);
    if (issue === undefined) continue;
    throw refusalFor(owner, `spec.infrastructure.overrides[${index}].patch.${issue.path}`, issue.message);
  }
}

function isOutside(value: string | undefined, patterns: readonly string[] | undefined): boolean {
  return value !== undefined && patterns !== undefined && !patterns.some((pattern) => isLike(value, pattern));
}

const listed = (patterns: readonly string[] = []): string => patterns.join(', ') || 'none';
