import { Client, credentials, status } from '@grpc/grpc-js';
import { FunctionRunnerServiceService, RunFunctionRequest } from '@crossplane-org/function-sdk-typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import { at, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { aRequest } from '../support/request.ts';
import { ask, clientOf, running } from './function-process.ts';

const FOUR_MIB = 4 * 1024 * 1024;
const xr: KubeObject = { apiVersion: 'example.org/v1', kind: 'XEcho', metadata: { name: 'one', namespace: 'team-a' } };
const configMap = (name: string, bytes = 0): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'team-a' },
  data: { padding: 'x'.repeat(bytes) },
});

/** Objects of about `mebibytes` in total. */
function objects(mebibytes: number): Record<string, KubeObject> {
  const count = mebibytes * 16;
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`cm-${i}`, configMap(`cm-${i}`, 65_536)]));
}

describe('a call', () => {
  test('is answered with what the function desires, an accepted result and a time to live', async () => {
    const { client } = await running(['--insecure']);
    const { desired, conditions, results, requirements, ttl } = await client.run(ask());
    expect(desired.resources.get('echo')).toMatchObject({ ready: 'True', resource: { data: { name: 'one' } } });
    expect(conditions).toEqual([{ type: 'ClaimAccepted', status: 'True', reason: 'Accepted' }]);
    expect({ results, requirements: [...requirements], ttl }).toEqual({ results: [], requirements: [], ttl: 600 });
  });

  test('passes on what earlier steps desired and put in the context', async () => {
    const { client } = await running(['--insecure']);
    const context: JsonObject = { 'example.org/plan': { steps: [1, 'two', null, true] } };
    const desired = { other: { resource: configMap('other'), ready: 'False' as const } };
    const answer = await client.run(aRequest({ composite: xr, desired, context, desiredStatus: { phase: 'Early' } }));
    expect(answer.desired.resources.get('other')).toEqual(desired.other);
    expect(answer.desired.composite).toEqual({ ...xr, metadata: undefined, status: { phase: 'Early' } });
    expect(answer.context).toMatchObject(context);
    expect(answer.ttl, 'an object is not ready').toBe(10);
  });

  test('passes on connection details of the XR, which belong to other steps', async () => {
    const { address } = await running(['--insecure']);
    const message = RunFunctionRequest.decode(encodeRequest(ask()));
    const composite = { connectionDetails: { password: Buffer.from([1, 2, 255]) } };
    const response = await raw(address, RunFunctionRequest.fromPartial({ ...message, desired: { composite } }));
    expect(response.desired?.composite?.connectionDetails).toEqual(composite.connectionDetails);
    expect(response.meta?.tag).toBe('test');
  });

  test('runs in parallel with others: ten calls are in progress together, and all are answered', async () => {
    const { client, child, logged } = await running(['--insecure']);
    const answers = Promise.all(Array.from({ length: 10 }, () => client.run(ask({ wait: true }))));
    await logged('waiting', 4);
    child.kill('SIGUSR2');
    expect((await answers).filter(({ desired }) => desired.resources.has('echo'))).toHaveLength(10);
  });

  test('that its caller cancels does not affect the function', async () => {
    const { client, child, logged } = await running(['--insecure', '--debug']);
    const givenUp = client.run(ask({ wait: true }), { timeoutMs: 500 }).catch((thrown: unknown) => thrown);
    await logged('waiting');
    expect(await givenUp).toMatchObject({ code: 'Unavailable' });
    child.kill('SIGUSR2');
    expect(await logged('call')).toMatchObject({ outcome: 'accepted' });
    expect((await client.run(ask())).results).toEqual([]);
  });
});

describe('time', () => {
  const now = new Date('2031-02-03T04:05:06.789Z');
  const timeOf = async (flags: readonly string[]): Promise<Json | undefined> => {
    const { client } = await running(['--insecure', ...flags]);
    const { desired } = await client.run(ask(), { now });
    return at(desired.resources.get('echo')?.resource, 'data', 'now');
  };

  test('comes from the caller when the function was configured so', async () => {
    expect(await timeOf(['--clock', 'request'])).toBe(now.toISOString());
  });

  test('comes from the function itself otherwise, whatever a caller sends', async () => {
    expect(await timeOf([])).not.toBe(now.toISOString());
  });
});

describe('the time to live', () => {
  test('of a settled response is the value of --ttl', async () => {
    const { client } = await running(['--insecure', '--ttl', '1h30m']);
    expect((await client.run(ask())).ttl).toBe(5400);
    const desired = { other: { resource: configMap('other'), ready: 'False' as const } };
    expect((await client.run(aRequest({ composite: xr, desired }))).ttl, 'in progress').toBe(10);
  });
});

describe('large messages', () => {
  test('a request of 6 MiB is accepted: the limit of gRPC is 4, and a pool of 1,000 machines needs more', async () => {
    const { client } = await running(['--insecure']);
    const request = aRequest({ composite: xr, observed: objects(6) });
    expect(sizeOf(request)).toBeGreaterThan(6 * 1024 * 1024);
    expect((await client.run(request)).desired.resources.has('echo')).toBe(true);
  });

  test('a request over --max-recv-message-size is refused with a message that has both sizes', async () => {
    const { client } = await running(['--insecure', '--max-recv-message-size', '1']);
    await expect(client.run(aRequest({ composite: xr, observed: objects(2) }))).rejects.toThrow(
      /^cannot call function "echo" at 127\.0\.0\.1:\d+: Received message larger than max \(\d+ vs 1048576\)$/,
    );
  });

  test('a response of 4 MiB becomes a fatal result with its size, because Crossplane would not receive it', async () => {
    const { client } = await running(['--insecure']);
    const { results, conditions } = await client.run(ask({ bytes: FOUR_MIB }));
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ severity: 'Fatal', reason: 'Unsupported' });
    expect(results[0]?.message).toMatch(
      /^cannot answer: the response has \d{7} bytes, but Crossplane accepts fewer than 4194304; compose fewer or smaller resources$/,
    );
    expect(conditions).toMatchObject([{ type: 'ClaimAccepted', status: 'False', reason: 'Unsupported' }]);
  });

  test('a response just below the limit is sent', async () => {
    const { client } = await running(['--insecure']);
    const { results, desired } = await client.run(ask({ bytes: FOUR_MIB - 1000 }));
    expect(results).toEqual([]);
    expect(desired.resources.has('echo')).toBe(true);
  });

  test('a refusal stays below the limit even if the desired state before was above it', async () => {
    const { address } = await running(['--insecure']);
    const client = clientOf(address, { maxMessageBytes: 16 * 1024 * 1024 });
    const request = aRequest({ composite: xr, input: { refuse: 'cannot accept it' }, desired: objects(6) });
    const { results, desired } = await client.run(request);
    expect(results).toEqual([{ severity: 'Fatal', reason: 'InvalidClaim', message: 'cannot accept it' }]);
    expect(desired.resources.size, 'Crossplane does not read it beside a fatal result').toBe(0);
  });
});

describe('deep JSON', () => {
  const nested = (levels: number): JsonObject => {
    let value: JsonObject = { leaf: true };
    for (let i = 1; i < levels; i += 1) value = { in: value };
    return value;
  };

  test('of 150 levels is read and written: the SDK alone stops at 32 without an error', async () => {
    const { client } = await running(['--insecure']);
    const { desired, results } = await client.run(ask({ value: nested(150) }));
    expect(results).toEqual([]);
    expect(desired.resources.get('echo')?.resource['value']).toEqual(nested(150));
  });

  test('of 300 levels is a fatal result that says so', async () => {
    const { client } = await running(['--insecure']);
    const { results } = await client.run(ask({ value: nested(300) }));
    expect(results).toEqual([
      {
        severity: 'Fatal',
        reason: 'BrokenContract',
        message: 'cannot read the request: its JSON is nested deeper than 200 levels',
      },
    ]);
  });
});

describe('invalid input', () => {
  test('does not change the desired state, and is reported as a result and as a condition, in one line', async () => {
    const { client } = await running(['--insecure']);
    const desired = { other: { resource: configMap('other'), ready: 'True' as const } };
    const context = { 'example.org/plan': 1 };
    const input = { refuse: 'cannot accept XEcho "team-a/one": spec.size:\n 3 is odd; accepted: even numbers' };
    const answer = await client.run(aRequest({ composite: xr, input, desired, context }));
    const message = 'cannot accept XEcho "team-a/one": spec.size: 3 is odd; accepted: even numbers';
    expect(answer.results).toEqual([{ severity: 'Fatal', reason: 'InvalidClaim', message }]);
    expect(answer.conditions).toEqual([{ type: 'ClaimAccepted', status: 'False', reason: 'InvalidClaim', message }]);
    expect([...answer.desired.resources]).toEqual([['other', desired.other]]);
    expect(answer.context).toMatchObject(context);
  });

  test('a bug is reported without details, and logged with its stack', async () => {
    const { client, logged } = await running(['--insecure']);
    const { results } = await client.run(ask({ break: true }));
    expect(results).toEqual([
      {
        severity: 'Fatal',
        reason: 'Internal',
        message: 'cannot answer: an internal error; see the log of the function',
      },
    ]);
    const { err } = await logged('call failed');
    expect(err).toMatchObject({ type: 'TypeError', stack: expect.stringContaining('echo/main.ts') });
  });

  test('a response that is not JSON is not sent, because protobuf would change it', async () => {
    const { client, logged } = await running(['--insecure']);
    const { results } = await client.run(ask({ notJson: true }));
    expect(results).toMatchObject([{ severity: 'Fatal', reason: 'Internal' }]);
    expect(await logged('call failed')).toMatchObject({
      err: { message: 'cannot encode resource "echo".value.when: Date is not JSON' },
    });
  });

  test('bytes that are not a request are answered, and the connection stays', async () => {
    const { address } = await running(['--insecure']);
    const { results } = await raw(address, Buffer.from('not a message'));
    expect(results).toMatchObject([{ message: expect.stringMatching(/^cannot read the request: [^\n]+$/) as string }]);
  });

  test('an unknown method is distinguished from a function that is unreachable', async () => {
    const { address } = await running(['--insecure']);
    await expect(raw(address, Buffer.of(), '/example.Service/Call')).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });
});

describe('a client', () => {
  test('reports the function and the address when no server answers', async () => {
    const { address, child, ended } = await running(['--insecure']);
    child.kill('SIGTERM');
    await ended;
    const call = clientOf(address).run(ask(), { timeoutMs: 5000 });
    await expect(call).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(call).rejects.toThrow(new RegExp(`^cannot call function "echo" at ${address}: `));
  });
});

const sizeOf = (request: Request): number => encodeRequest(request).length;

/** A call as any gRPC client makes it. */
function raw(
  address: string,
  message: RunFunctionRequest | Buffer,
  method: string = FunctionRunnerServiceService.runFunction.path,
): Promise<ReturnType<typeof FunctionRunnerServiceService.runFunction.responseDeserialize>> {
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const { requestSerialize, responseDeserialize } = FunctionRunnerServiceService.runFunction;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      method,
      (bytes: Buffer) => bytes,
      responseDeserialize,
      Buffer.isBuffer(message) ? message : requestSerialize(message),
      (error, response) => {
        if (error !== null || response === undefined) reject(error ?? new Error('no answer'));
        else resolve(response);
      },
    );
  });
}
