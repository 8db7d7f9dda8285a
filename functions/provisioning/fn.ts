/**
 * Decides what a machine reads on its first boot: the bootstrap plan and the claim's own customisation, in the
 * words of one provisioner. Rendered once; a machine whose data is stored keeps it.
 */
import { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readInput } from '#lib/fn/input.ts';
import { Reply } from '#lib/fn/reply.ts';
import { ProvisioningInput } from './input.ts';
import { provisionerOf } from './registry.ts';

export const run: CompositionFunction = (request) => {
  const input = readInput(request, ProvisioningInput, 'ProvisioningInput');
  const reply = new Reply(request);
  if (input.ttl !== undefined) reply.ttl(seconds(input.ttl));
  // Its status is other steps' work; garbage in it is theirs to name.
  const { status: _status, ...claim } = request.observed.composite;
  const owner = describeObject(claim);
  const { provisioning } = parseAs(Machine, claim, owner).spec;
  if (request.observed.resources.has(PAYLOAD_RESOURCE)) return reply;
  const provisioner = provisionerOf(provisioning.format, owner);
  const handedOn = request.context[CONTEXT.bootstrapPlan];
  // What is awaited the bootstrap step has said.
  if (handedOn === undefined) return reply.notReady();
  const plan = parseAs(BootstrapPlan, handedOn, 'the plan of the bootstrap step', 'BrokenContract');
  return reply.context(CONTEXT.payload, { ...provisioner({ plan, customisation: provisioning, owner }) });
};
