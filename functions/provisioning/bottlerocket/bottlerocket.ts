/** Bottlerocket: its settings in TOML are its first-boot data, so customisation adds settings to those of the plan. */
import { stringify } from 'smol-toml';
import type { Payload } from '#lib/api/contracts/payload.ts';
import { canonical, type JsonObject } from '#lib/api/json.ts';
import { mergeDisjoint } from '../lay-over.ts';
import type { Order, Provisioner } from '../provisioner.ts';
import { kernelSettings } from './kernel.ts';
import { networkSettings } from './network.ts';
import { refuseNull } from './limits.ts';
import { trustSettings } from './trust.ts';
import { traits } from './traits.ts';

const FORMAT = 'bottlerocket';

export const bottlerocket: Provisioner<'bottlerocket'> = {
  ...traits.expresses,
  render,
};

function render(order: Order<'bottlerocket'>): Payload {
  const settings = settingsOf(order);
  return {
    contract: 1,
    format: traits.payload,
    contentType: traits.contentType,
    value: Buffer.from(stringify({ settings })).toString('base64'),
    gzip: true,
  };
}

/** Maps are sorted; lists keep their order, which matters for kernel arguments. */
function settingsOf(order: Order<'bottlerocket'>): JsonObject {
  const { plan, customisation, owner } = order;
  const raw = customisation.raw[FORMAT] ?? {};
  refuseNull(raw, `spec.provisioning.raw.${FORMAT}`, owner);
  const neutral: readonly (readonly [field: string, settings: JsonObject])[] = [
    ...networkSettings(order),
    ...kernelSettings(order),
    ...trustSettings(order),
    [`raw.${FORMAT}`, sorted(raw)],
  ];
  return neutral.reduce<JsonObject>(
    (settings, [field, more]) => mergeDisjoint(settings, more, `spec.provisioning.${field}`, owner),
    sorted(plan.settings),
  );
}

function sorted(settings: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(canonical(settings)) as JsonObject;
}
