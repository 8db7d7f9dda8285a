/**
 * Decides the first-boot data of a machine: the bootstrap plan and the customisation of the claim, in the format of one
 * provisioner. Rendered once; a machine with stored data keeps it.
 */
import { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { PAYLOAD_RESOURCE } from '#lib/api/contracts/payload.ts';
import type { DataDiskFilesystem } from '#lib/api/fields/customisation.ts';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { referencesIn } from '#lib/api/fields/value-from.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { parseAs } from '#lib/api/parse.ts';
import { CONDITION, CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { readCluster, requireCluster } from '#lib/fn/cluster.ts';
import { readClaim } from '#lib/fn/composite.ts';
import { dataDisksApart, inPartitions, type OnDataDisk } from '#lib/cloud/first-boot-settings/layout.ts';
import { refuseHostSettings } from '#lib/cloud/first-boot-settings/settings.ts';
import { applyTtl, readInput } from '#lib/fn/input.ts';
import { addNodeScripts } from '#lib/fn/node-update.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import { NO_VALUES, type SecretValues, secretValues, type WaitingForSecret } from '#lib/fn/secret-values.ts';
import { filled } from './filled.ts';
import { refuseValues } from './formats.ts';
import { ProvisioningInput } from './input.ts';
import { refuseUnsaid } from '#lib/cloud/expressible.ts';
import { provisionerOf, refusePair } from './registry.ts';
import { updateScript } from './update.ts';

export const run: CompositionFunction = (request) => {
  const input = readInput(request, ProvisioningInput, 'ProvisioningInput');
  const reply = new Reply(request, ANSWERS_FOR_NOTHING);
  applyTtl(reply, input);
  const { claim: machine, owner } = readClaim(request, Machine);
  const { provisioning } = machine.spec;
  if (request.observed.resources.has(PAYLOAD_RESOURCE)) {
    // A shell script; Windows has no shell for it.
    if (machine.spec.update !== undefined && machine.spec.machine.os !== 'windows')
      addNodeScripts(request, reply, machine.spec.update, 'provisioning', [updateScript(provisioning)]);
    return reply;
  }
  const provisioner = provisionerOf(provisioning.format, owner);
  const handedOn = request.context[CONTEXT.bootstrapPlan];
  // The bootstrap step has reported what it waits for.
  if (handedOn === undefined) return reply.notReady();
  const plan = parseAs(BootstrapPlan, handedOn, 'the plan of the bootstrap step', 'BrokenContract');
  const { format, ...claimed } = provisioning;
  refusePair(format, plan, owner);
  const left = leftOver(claimed, plan);
  refuseUnsaid(left, format, provisioner, owner);
  refuseHostSettings(left, owner);
  refuseValues(format, left, owner);
  const values = valuesOf(reply, machine, left);
  if ('waiting' in values)
    return reply.notReady().condition(CONDITION.bootstrapConfigReady, false, values.reason, values.waiting);
  const { claimed: others, onDataDisks } = dataDisksApart(inPartitions(left), machine.spec.machine.dataDisks ?? []);
  const customisation = filled(others, values, dataDisksOf(machine, plan, onDataDisks));
  const { action } = machine.spec.bootstrap;
  return reply.context(CONTEXT.payload, { ...provisioner.render({ plan, customisation, action, owner }) });
};

/** The values of the Secrets that the claim refers to, or what is missing. */
function valuesOf(reply: Reply, machine: Machine, claimed: Claimed): SecretValues | WaitingForSecret {
  const references = referencesIn(claimed);
  if (references.length === 0) return NO_VALUES;
  const { object, waiting } = requireCluster(reply, machine);
  if (object === undefined) return { waiting, reason: 'WaitingForSecret' };
  return secretValues(reply, machine, readCluster(object), references);
}

/** Where each is, by its cloud or, on any other host, by its size. */
function dataDisksOf(
  { spec }: Machine,
  plan: BootstrapPlan,
  filesystems: ReadonlyMap<string, OnDataDisk>,
): readonly DataDiskFilesystem[] {
  const places = 'dataDisks' in plan ? (plan.dataDisks ?? []) : [];
  return (spec.machine.dataDisks ?? []).flatMap(({ name, sizeGiB }) => {
    const made = filesystems.get(name);
    const place = places.find((one) => one.name === name) ?? { name, links: [] };
    return made === undefined ? [] : [{ ...made, ...place, sizeGiB }];
  });
}

/** The customisation without fields that the plan implements itself. */
function leftOver(claimed: Claimed, plan: BootstrapPlan): Claimed {
  if (!('carries' in plan) || plan.carries?.includes('registries') !== true) return claimed;
  return { ...claimed, registries: [] };
}
