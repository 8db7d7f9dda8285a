/**
 * Ignition, which runs once in the initramfs: files, users, disks and units in its own format, and one unit that runs
 * the script after the host has started. Specification 3.3, higher only if raw fields of a claim need it; 2.3 for
 * images that support nothing newer.
 */
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import { diskSteps } from '../disk-checks.ts';
import type { Order, Provisioner } from '../provisioner.ts';
import type { HostFile } from '../host-file.ts';
import { base64Url, type Packing } from './data-url.ts';
import { filesThatAre, sealedNodes } from './files.ts';
import { asJson, legacyConfig } from './legacy.ts';
import { configOf, filesOf, type Ways } from './plan.ts';
import { versionOf, withRaw } from './raw.ts';
import { BOOTSTRAP_UNIT } from './units.ts';
import { legacyTraits, traits } from './traits.ts';

export const ignition: Provisioner<'scripted'> = { ...traits.expresses, render };

export const legacyIgnition: Provisioner<'scripted'> = { ...legacyTraits.expresses, render: renderLegacy };

/** Unchanged, or gzipped inside a configuration that it replaces: whichever is smaller. */
function render(order: Order<'scripted'>): Payload {
  const files = filesOf(order);
  const of = (some: readonly HostFile[], packing: Packing): JsonObject =>
    current(order, { packing, mountsFilesystems: true }, some);
  const plain = text(of(files, 'each'));
  const packed = text(replaced(of(files, 'whole')));
  return payload(packed.length < plain.length ? packed : plain, apart(of(filesThatAre('open', files), 'each'), files));
}

/**
 * Ignition of that time unpacks only what it fetches, so nothing here is gzipped. Not in two parts, because images of
 * that time cannot access a secret store.
 */
function renderLegacy(order: Order<'scripted'>): Payload {
  // It compares the sizes of partitions only if they are in sectors.
  const files = filesOf(order, diskSteps(order.customisation));
  const config = legacyConfig(configOf(order, { packing: 'none', mountsFilesystems: false }, files));
  return payload(text(withRaw(config, order.customisation.raw['ignition-2.3'], 'ignition-2.3', order.owner)));
}

function current(order: Order<'scripted'>, ways: Ways, files: readonly HostFile[]): JsonObject {
  const config = asJson(configOf(order, ways, files));
  const whole = withRaw(config, order.customisation.raw['ignition'], 'ignition', order.owner);
  return { ...whole, ignition: { ...(whole['ignition'] as JsonObject), version: versionOf(whole) } };
}

function replaced(config: JsonObject): JsonObject {
  const source = base64Url(stableGzip(text(config)));
  return { ignition: { version: versionOf(config), config: { replace: { source, compression: 'gzip' } } } };
}

function apart(open: JsonObject, files: readonly HostFile[]): Payload['apart'] {
  const sealed = { ignition: { version: '3.3.0' }, storage: { files: sealedNodes(filesThatAre('sealed', files)) } };
  return { open: base64(text(open)), sealed: base64(JSON.stringify(sealed)), before: BOOTSTRAP_UNIT };
}

function text(config: JsonObject): string {
  return JSON.stringify(config);
}

function base64(written: string): string {
  return Buffer.from(written).toString('base64');
}

/** Not gzipped as a whole, because such images do not detect that. */
function payload(config: string, parts?: Payload['apart']): Payload {
  return {
    contract: 1,
    format: traits.payload,
    contentType: traits.contentType,
    value: base64(config),
    gzip: false,
    ...(parts === undefined ? {} : { apart: parts }),
  };
}
