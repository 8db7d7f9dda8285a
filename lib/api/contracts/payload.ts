/**
 * Contract "payload", version 1: the first-boot data of a machine. The provisioning step writes it under
 * CONTEXT.payload; the machine step stores it in a Secret and sends it to the cloud.
 */
import { z } from 'zod';
import { secret } from '../schema/rules.ts';

export const Payload = z.strictObject({
  contract: z.literal(1).describe('Version of this contract.'),
  format: z.string().min(1).describe('Format of the content, as named by Cluster API: cloud-config, ignition …'),
  contentType: z.string().min(1).describe('MIME type of the content.'),
  value: secret(z.base64()).describe('The payload itself, in base64.'),
  gzip: z.boolean().describe('Whether the machine can also read it gzipped.'),
  apart: z
    .strictObject({
      open: z
        .base64()
        .describe(
          'The payload without the files and units of the plan, in base64. It contains nothing that was generated.',
        ),
      sealed: secret(z.base64()).describe(
        'Those files, in base64: the storage.files of an Ignition configuration, each with one content, or one to append, as base64 in a data URL.',
      ),
      before: z.string().min(1).describe('The systemd unit in open that may start only after those files are written.'),
    })
    .optional()
    .describe(
      'The same first boot in two parts, for a format that cannot be fetched from a secret store as a whole. The cloud adds to open what fetches sealed.',
    ),
});

export type Payload = z.output<typeof Payload>;

/** Keys of a payload Secret; `value` and `format` are Cluster API's, `open`, `sealed` and `before` those of `apart`. */
export const PAYLOAD_KEYS = {
  value: 'value',
  format: 'format',
  gzip: 'gzip',
  open: 'open',
  sealed: 'sealed',
  before: 'before',
} as const;

/**
 * Path on the machine for a #cloud-config from a secret store: cloud-init reads it from there on every boot. The
 * provisioner removes join secrets from it once the host is a node.
 */
export const HANDED_OVER_PATH = '/etc/cloud/cloud.cfg.d/95-slipway-first-boot.cfg';

/**
 * Composition resource name of a Machine's payload Secret. Once it is observed no step renders first-boot data again.
 */
export const PAYLOAD_RESOURCE = 'payload';
