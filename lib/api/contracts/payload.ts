/**
 * Contract "payload", version 1: the bytes a machine gets on first boot. The provisioning step puts it under
 * CONTEXT.payload; the machine step stores it in a Secret and hands it to the cloud in the way that fits.
 */
import { z } from 'zod';
import { secret } from '../schema/rules.ts';

export const Payload = z.strictObject({
  contract: z.literal(1),
  /** Cluster API's word for the content: cloud-config, ignition … */
  format: z.string().min(1),
  contentType: z.string().min(1),
  /** The payload itself, base64. */
  value: secret(z.base64()),
  /** Whether what reads it on the machine also reads it gzipped. */
  gzip: z.boolean(),
});

export type Payload = z.output<typeof Payload>;

/** Keys of a payload Secret; `value` and `format` are Cluster API's. */
export const PAYLOAD_KEYS = { value: 'value', format: 'format', gzip: 'gzip' } as const;

/** Composition resource name of a Machine's payload Secret. Once it is observed no step renders first-boot data again. */
export const PAYLOAD_RESOURCE = 'payload';
