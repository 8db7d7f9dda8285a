import { expect, test } from 'vitest';
import { stableMessage } from './provider-message.ts';

const UUID = '3f1c2b9a-55d0-4f0e-9c53-0a7d0f6f2b11';
const OTHER = '9ab01c44-0000-4f0e-8c53-0a7d0f6f2b99';

test.for([
  {
    cloud: 'AWS',
    message: (id: string) =>
      `create failed: async create failed: failed to create the resource: [{0 creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 403, RequestID: ${id}, api error UnauthorizedOperation: You are not authorized to perform this operation. Encoded authorization failure message: ${id}abcd  []}]`,
    want: 'create failed: creating EC2 Instance: operation error EC2: RunInstances, https response error StatusCode: 403, api error UnauthorizedOperation: You are not authorized to perform this operation',
  },
  {
    cloud: 'Azure',
    message: (id: string) =>
      `observe failed: AADSTS7000215: Invalid client secret provided. Trace ID: ${id} Correlation ID: ${id} Timestamp: 2026-11-20 10:0${id[0]}:00Z`,
    want: 'observe failed: AADSTS7000215: Invalid client secret provided',
  },
  {
    cloud: 'Azure, in JSON',
    message: (id: string) =>
      `update failed: unexpected status 429 with error: TooManyRequests: {"error":"busy","correlationId":"${id}"}`,
    want: 'update failed: unexpected status 429 with error: TooManyRequests: {"error":"busy"}',
  },
  {
    cloud: 'GCP',
    message: (id: string) =>
      `create failed: async create failed: failed to create the resource: [{0 Error waiting for operation-17000000000${id.slice(0, 2).replaceAll(/\D/g, '7')}-609f-1a2b3c4d: quota exceeded. Request ID: ${id}  []}]`,
    want: 'create failed: Error waiting for : quota exceeded',
  },
])('a message of $cloud is the same at every try, and ends with its cause', ({ message, want }) => {
  expect(stableMessage(message(UUID))).toBe(want);
  expect(stableMessage(message(OTHER))).toBe(want);
});

test.for([
  'cannot resolve references: mg.Spec.ForProvider.VPCID: referenced field was empty',
  'update failed: async update failed: refuse to update the external resource: cannot change the value of the argument "ami" from "ami-1" to "ami-2"',
  'the certificate expires 2026-11-20T10:00:00Z',
  'the request id is missing',
])('other messages stay as they are: %s', (message) => {
  expect(stableMessage(message)).toBe(message);
});
