/** What the platform lets claims of this Composition choose: whoever may write a claim does not own the account. */
import { refusal, refusalFor } from '#lib/api/refusal.ts';
import { outsideLimits, withinLimit } from '#lib/cloud/limits.ts';
import { inputName } from '#lib/fn/input.ts';
import { refusedOverride } from '#lib/fn/overrides.ts';
import type { NodePoolInput } from './input.ts';
import type { SizedPool } from './size.ts';

/** Throws InvalidClaim for the first choice outside. */
export function refuseOutside({ spec }: SizedPool, input: NodePoolInput, owner: string): void {
  const { limits, overrides } = input;
  const { replicas, machine, infrastructure } = spec;
  const outside = (field: string, value: unknown, limit: string, accepted: string) =>
    refusal(owner, field, value, withinLimit(accepted, limit, inputName('NodePoolInput')));

  if (limits.replicas !== undefined && replicas > limits.replicas)
    throw outside('spec.replicas', replicas, 'replicas', `at most ${limits.replicas}`);
  const fault = outsideLimits(machine, limits, input);
  if (fault !== undefined) throw outside(`spec.machine.${fault.field}`, fault.value, fault.limit, fault.accepted);
  // The machine step refuses them as well, but then every machine has them already.
  const stated = { statedIn: inputName('NodePoolInput'), ...(overrides === undefined ? {} : { allowed: overrides }) };
  for (const [index, override] of infrastructure.overrides.entries()) {
    const issue = refusedOverride(override, stated);
    if (issue === undefined) continue;
    throw refusalFor(owner, `spec.infrastructure.overrides[${index}].patch.${issue.path}`, issue.message);
  }
}
