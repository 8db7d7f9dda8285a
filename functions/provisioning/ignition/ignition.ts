/**
 * Ignition, which runs once in the initramfs: files, users, disks and units in its own words, and one unit that runs
 * the script after the host has started. Specification 3.3, higher only where a claim's raw fields need it; 2.3 for
 * images that read nothing newer.
 */
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { stableGzip } from '#lib/fn/gzip.ts';
import type { Order, Provisioner } from '../provisioner.ts';
import { base64Url } from './data-url.ts';
import { asJson, legacyConfig } from './legacy.ts';
import { configOf, type Ways } from './plan.ts';
import { versionOf, withRaw } from './raw.ts';

const LIMITS = {
  packages: 'an image that has them, or files and commands.pre',
  registries: 'a bootstrap provider that knows them, or files',
} as const;

export const ignition: Provisioner<'scripted'> = { takes: ['scripted'], limits: LIMITS, render };

export const legacyIgnition: Provisioner<'scripted'> = {
  takes: ['scripted'],
  limits: { ...LIMITS, kernelArguments: 'format ignition, or an image that boots with them' },
  render: renderLegacy,
};

/** As it is, or the whole gzipped inside a configuration that is replaced by it: whatever is smaller. */
function render(order: Order<'scripted'>): Payload {
  const plain = text(current(order, { compress: true, mountsFilesystems: true }));
  const packed = text(replaced(current(order, { compress: false, mountsFilesystems: true })));
  return payload(packed.length < plain.length ? packed : plain);
}

/** It knows compressed files, but no compressed configuration. */
function renderLegacy(order: Order<'scripted'>): Payload {
  const config = legacyConfig(configOf(order, { compress: true, mountsFilesystems: false }));
  return payload(text(withRaw(config, order.customisation.raw['ignition-2.3'], 'ignition-2.3', order.owner)));
}

function current(order: Order<'scripted'>, ways: Ways): JsonObject {
  const config = withRaw(asJson(configOf(order, ways)), order.customisation.raw['ignition'], 'ignition', order.owner);
  return { ...config, ignition: { ...(config['ignition'] as JsonObject), version: versionOf(config) } };
}

function replaced(config: JsonObject): JsonObject {
  const source = base64Url(stableGzip(text(config)));
  return { ignition: { version: versionOf(config), config: { replace: { source, compression: 'gzip' } } } };
}

function text(config: JsonObject): string {
  return JSON.stringify(config);
}

/** Not gzipped from outside: what reads user data on such images does not look for it. */
function payload(config: string): Payload {
  return {
    contract: 1,
    format: 'ignition',
    contentType: 'application/vnd.coreos.ignition+json',
    value: Buffer.from(config).toString('base64'),
    gzip: false,
  };
}
