/** Groups of machines in memory, for tests of plans. */
import type { JsonObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { aMachine, aNodePool } from '../../../test/support/claims.ts';
import { budgetOf, termsOf } from '../budget.ts';
import { Claims } from '../claims.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import { rulebook } from '../rulebook.ts';
import type { Member, SlotState, Step } from './step.ts';
import { planUpdate } from './steps.ts';

const READY = { ready: true, available: true, isNode: true, unobserved: false, recorded: true } as const;

/** A slot whose only machine is to be replaced by another. */
export function aSlot(slot: number, edit: JsonObject): SlotState {
  const { spec, ...base } = aMachine();
  const labels = { ...base.metadata?.labels, [LABEL.slot]: String(slot) };
  const key = `prod-general-${slot}-aaaaa`;
  const object = { ...base, metadata: { ...base.metadata, name: key, labels }, spec: { ...spec } };
  const member: Member = { key, name: key, object, ...READY };
  const metadata = { ...object.metadata, name: `prod-general-${slot}-bbbbb` };
  return { slot: String(slot), desired: { ...object, metadata, spec: { ...spec, ...edit } }, members: [member] };
}

/** The result for two machines of a pool in which one may be unavailable. */
export function slotPlans(given: { readonly edit: JsonObject; readonly input: InPlaceUpdateInput }): readonly Step[] {
  const composite = aNodePool({ spec: { replicas: 2, update: { maxUnavailable: 1 } } });
  const slots = [0, 1].map((slot) => aSlot(slot, given.edit));
  const received = { contract: 1 as const, leaving: 0, quorum: false, unobserved: [], releases: [], replacements: [] };
  return planUpdate(
    { received, slotKeys: [], slots, released: [], kept: [] },
    {
      input: given.input,
      book: rulebook(given.input),
      claims: new Claims([]),
      composite,
      budget: budgetOf(termsOf(composite), 2, 0),
    },
  );
}
