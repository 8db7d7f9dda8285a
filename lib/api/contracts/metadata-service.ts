/**
 * How a machine queries its own data from the cloud, on hosts without a tool for it: part of the contracts
 * "infrastructure status" and "bootstrap plan". The infrastructure sets it, first-boot scripts use it. No value needs
 * quotes in a shell.
 */
import { z } from 'zod';

const path = () =>
  z
    .string()
    .max(256)
    .regex(/^[A-Za-z0-9._/-]+$/, { error: 'is not a path; accepted: letters, digits and . _ / -' });

const headers = () =>
  z.record(
    z
      .string()
      .max(64)
      .regex(/^[A-Za-z0-9-]+$/),
    z
      .string()
      .max(256)
      .regex(/^[A-Za-z0-9 .:;=,/+-]+$/),
  );

const Value = z.strictObject({
  path: path().describe('Path of the value, below root.'),
  lastPart: z.boolean().optional().describe('Whether the value is the part of the response after the last slash.'),
});

export const MetadataService = z.strictObject({
  url: z
    .string()
    .max(256)
    .regex(/^https?:\/\/[A-Za-z0-9.:/[\]-]*[A-Za-z0-9\]]$/, {
      error: 'is not the address of a service; accepted: such as http://169.254.169.254/latest',
    })
    .describe('Address of the metadata service, without a slash at its end.'),
  token: z
    .strictObject({
      path: path().describe('Path below url of the PUT request that creates a token.'),
      headers: headers().optional().describe('Headers of that request.'),
      header: z
        .string()
        .max(64)
        .regex(/^[A-Za-z0-9-]+$/)
        .describe('Header that carries the token in every later request.'),
    })
    .optional()
    .describe('How to start a session, if the service requires one.'),
  headers: headers().optional().describe('Headers of every request for a value.'),
  root: path().optional().describe('Path below url that contains the values.'),
  query: z
    .string()
    .max(256)
    .regex(/^[A-Za-z0-9._=&-]+$/)
    .optional()
    .describe('Query of every request for a value, without the question mark.'),
  values: z
    .strictObject({
      instanceId: Value.describe('Value of ${instanceId}.'),
      failureDomain: Value.describe('Value of ${failureDomain}.'),
    })
    .describe('Where the values of a machine are.'),
});

export type MetadataService = z.output<typeof MetadataService>;
export type MetadataValue = keyof MetadataService['values'];

/** In the order of the queries. */
export const MACHINE_VALUES = ['instanceId', 'failureDomain'] as const satisfies readonly MetadataValue[];
