import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectFunction, type FunctionClient } from '#lib/fn/client.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { aRequest, type RequestParts } from '../support/request.ts';
import { type EchoProcess, startEcho } from './echo-process.ts';

const composite = { apiVersion: 'example.org/v1', kind: 'Echo', metadata: { name: 'n' } };
const request = (input?: JsonObject, parts: Partial<RequestParts> = {}) =>
  aRequest({ composite, ...(input === undefined ? {} : { input }), ...parts });

let echo: EchoProcess;
let client: FunctionClient;
beforeAll(async () => {
  echo = startEcho(['--insecure', '--clock', 'request', '--metrics-address', '127.0.0.1:19781']);
  client = connectFunction(await echo.address, 'echo');
});
afterAll(async () => {
  client.close();
  echo.child.kill('SIGTERM');
  await echo.ended;
});

describe('a call', () => {
  it('is answered with what the function desires, accepted, and a time to live', async () => {
    const { desired, conditions, results, ttl } = await client.run(request());
    expect(desired.resources.get('echo')).toMatchObject({ ready: 'True', resource: { data: { name: 'n' } } });
    expect(conditions).toEqual([{ type: 'ClaimAccepted', status: 'True', reason: 'Accepted' }]);
    expect(results).toEqual([]);
    expect(ttl).toBe(600);
  });

  it('carries the caller’s time when the function was told to take it', async () => {
    const { desired } = await client.run(request(), { now: new Date('2020-02-02T00:00:00Z') });
    expect(desired.resources.get('echo')?.resource).toMatchObject({ data: { now: '2020-02-02T00:00:00.000Z' } });
  });

  it('of 6 MiB is taken: a pool of 1,000 machines is as large', async () => {
    const observed = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `x${i}`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `x${i}` }, data: { filler: 'y'.repeat(105_000) } },
      ]),
    );
    const { desired } = await client.run(request(undefined, { observed }));
    expect(desired.resources.has('echo')).toBe(true);
  });

  it('whose answer would have 4 MiB and more gets a fatal result that names both sizes, not a broken stream', async () => {
    const { results } = await client.run(request({ mode: 'huge' }));
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ severity: 'Fatal', reason: 'Unsupported' });
    expect(results[0]?.message).toMatch(
      /^cannot answer: the answer has \d+ bytes, Crossplane accepts fewer than 4194304/,
    );
  });

  it('that is refused changes nothing that was desired, and says why as a result and as a condition', async () => {
    const desired = { other: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } } };
    const answer = await client.run(request({ mode: 'refuse' }, { desired }));
    const line = 'cannot accept Echo "n": spec.x: 1 is not accepted; accepted: 2';
    expect(answer.results).toEqual([{ severity: 'Fatal', reason: 'InvalidClaim', message: line }]);
    expect(answer.conditions).toEqual([
      { type: 'ClaimAccepted', status: 'False', reason: 'InvalidClaim', message: line },
    ]);
    expect([...answer.desired.resources.keys()]).toEqual(['other']);
  });

  it('that meets a defect says so without telling the inside', async () => {
    const { results } = await client.run(request({ mode: 'break' }));
    expect(results[0]).toMatchObject({ severity: 'Fatal', reason: 'Internal' });
    expect(results[0]?.message).not.toContain('secret');
  });

  it('is one of ten at once, all answered', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.run(request({ mode: 'slow', ms: 300 }))));
    expect(answers.filter(({ desired }) => desired.resources.has('echo'))).toHaveLength(10);
  });

  it('is counted by its outcome', async () => {
    const text = await (await fetch('http://127.0.0.1:19781/metrics')).text();
    expect(text).toMatch(/slipway_function_calls_total\{outcome="accepted",function="function-echo"\} 1[3-9]/);
    expect(text).toMatch(/slipway_function_calls_total\{outcome="failed",function="function-echo"\} 1/);
    expect((await fetch('http://127.0.0.1:19781/readyz')).status).toBe(200);
    expect((await fetch('http://127.0.0.1:19781/healthz')).status).toBe(200);
  });
});

describe('a function that is told to stop', () => {
  it('finishes the call that is under way and exits with 0', async () => {
    const { child, address, ended } = startEcho(['--insecure']);
    const caller = connectFunction(await address, 'echo');
    await caller.run(request());
    const call = caller.run(request({ mode: 'slow', ms: 1500 }));
    await sleep(400);
    child.kill('SIGTERM');
    expect((await call).desired.resources.has('echo')).toBe(true);
    caller.close();
    expect((await ended).code).toBe(0);
  });

  it('stops anyway when a call does not end in time', async () => {
    const { child, address, ended } = startEcho(['--insecure', '--drain', '1s']);
    const caller = connectFunction(await address, 'echo');
    const call = caller.run(request({ mode: 'slow', ms: 60_000 })).catch((error: unknown) => error);
    await sleep(500);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    expect(await call).toMatchObject({ code: 'Unavailable' });
    caller.close();
  });

  it('takes its own time without --clock request, whatever a caller says', async () => {
    const { child, address, ended } = startEcho(['--insecure']);
    const caller = connectFunction(await address, 'echo');
    const { desired } = await caller.run(request(), { now: new Date('2020-02-02T00:00:00Z') });
    expect(JSON.stringify(desired.resources.get('echo')?.resource)).not.toContain('2020-02-02');
    caller.close();
    child.kill('SIGTERM');
    await ended;
  });
});

describe('a function that cannot serve', () => {
  it('says so in one line and exits with 1 when its port is taken', async () => {
    const { ended } = startEcho(['--insecure', '--address', await echo.address]);
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/^function-echo: cannot listen on "127\.0\.0\.1:\d+": /);
  });

  it.for([
    [['--bogus'], /^function-echo: cannot read the command line: Unknown option '--bogus'/],
    [['--ttl', 'soon'], /^function-echo: cannot accept --ttl "soon": accepted: a duration/],
    [
      ['--max-recv-message-size', '0'],
      /^function-echo: cannot accept --max-recv-message-size "0": accepted: megabytes/,
    ],
    [['--clock', 'sun'], /^function-echo: cannot accept --clock "sun": accepted: system, request/],
  ] as const)('says so in one line and exits with 2 when it is told %s', async ([flags, line]) => {
    const { code, stderr } = await startEcho(flags).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
