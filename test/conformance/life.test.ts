import { Client, credentials } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SERVICE } from '#lib/serve/health.ts';
import { ask, clientOf, running, start } from './function-process.ts';

const OFF = ['--metrics-address', ''];

describe('a function that is stopped', () => {
  test('reports that to health watchers, finishes the call in progress and exits with 0', async () => {
    const { address, plain, client, child, logged, ended } = await running(['--insecure']);
    const health = watch(address);
    await health.first;
    const underWay = client.run(ask({ wait: true }));
    await logged('waiting');

    child.kill('SIGTERM');
    await logged('stopping');
    expect(await health.all).toEqual(['SERVING', 'NOT_SERVING']);
    expect(await get(`${plain}/readyz`)).toEqual([503, 'stopping\n']);
    expect(await get(`${plain}/healthz`)).toEqual([200, 'ok\n']);
    await expect(clientOf(address).run(ask(), { timeoutMs: 2000 }), 'new calls').rejects.toMatchObject({
      code: 'Unavailable',
    });

    child.kill('SIGUSR2');
    expect((await underWay).desired.resources.has('echo')).toBe(true);
    expect((await ended).code).toBe(0);
  });

  test('does not wait without a limit: after --drain it aborts calls and exits with 1', async () => {
    const { client, child, logged, ended } = await running(['--insecure', '--drain', '1s']);
    const underWay = client.run(ask({ wait: true })).catch((error: unknown) => error);
    await logged('waiting');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    expect(await underWay).toMatchObject({ code: 'Unavailable' });
    expect(await logged('calls did not end in time; stopping anyway')).toMatchObject({ level: 40 });
  });

  test('stops at once on a second signal', async () => {
    const { client, child, logged, ended } = await running(['--insecure', '--drain', '1h']);
    const underWay = client.run(ask({ wait: true })).catch((error: unknown) => error);
    await logged('waiting');
    child.kill('SIGINT');
    await logged('stopping');
    child.kill('SIGINT');
    expect((await ended).code).toBe(1);
    expect(await underWay).toMatchObject({ code: 'Unavailable' });
  });

  test('stops when its standard input is closed, so that it does not outlive its launcher', async () => {
    const { child, logged, ended } = await running(['--insecure', '--stop-with-stdin']);
    child.stdin?.end();
    await logged('stopping');
    expect((await ended).code).toBe(0);
  });

  test('ignores a closed standard input without that flag, because containers have none', async () => {
    const { child, client } = await running(['--insecure']);
    child.stdin?.end();
    expect((await client.run(ask())).results).toEqual([]);
    expect((await client.run(ask())).results).toEqual([]);
  });
});

describe('the metrics port', () => {
  test('counts calls by outcome, their time and their size', async () => {
    const { plain, client } = await running(['--insecure']);
    await client.run(ask());
    await client.run(ask());
    await client.run(ask({ refuse: 'cannot accept it' }));
    await client.run(ask({ break: true }));
    const [code, text] = await get(`${plain}/metrics`);
    expect(code).toBe(200);
    const samples = text.split('\n').filter((line) => line.startsWith('slipway_'));
    const value = (name: string): number =>
      Number(samples.find((line) => line.startsWith(`${name}{`))?.replace(/.* /, ''));
    expect(samples.filter((line) => line.startsWith('slipway_function_calls_total')).toSorted()).toEqual([
      'slipway_function_calls_total{outcome="accepted",function="function-echo"} 2',
      'slipway_function_calls_total{outcome="failed",function="function-echo"} 1',
      'slipway_function_calls_total{outcome="refused",function="function-echo"} 1',
    ]);
    expect(value('slipway_function_call_seconds_count')).toBe(4);
    expect(value('slipway_function_request_bytes_count')).toBe(4);
    expect(value('slipway_function_request_bytes_sum')).toBeGreaterThan(4 * 50);
    expect(value('slipway_function_response_bytes_sum')).toBeGreaterThan(4 * 50);
    expect(text).toContain('process_resident_memory_bytes{function="function-echo"}');
  });

  test('reads only: every other method is refused', async () => {
    const { plain } = await running(['--insecure']);
    const response = await fetch(`${plain}/metrics`, { method: 'POST', body: 'x' });
    expect([response.status, await response.text()]).toEqual([405, 'only GET and HEAD\n']);
  });

  test('answers probes, and lists its paths for any other path', async () => {
    const { plain } = await running(['--insecure']);
    expect(await get(`${plain}/healthz`)).toEqual([200, 'ok\n']);
    expect(await get(`${plain}/readyz`)).toEqual([200, 'ok\n']);
    expect(await get(`${plain}/`)).toEqual([404, 'not found; there are /metrics, /healthz and /readyz\n']);
  });
});

describe('a call that never ends', () => {
  const ENDED = 'slipway_function_calls_total{outcome="ended",function="function-echo"} 1';

  test('keeps no other waiting, and is answered with what Crossplane takes for fatal', async () => {
    const { plain, client, logged } = await running(['--insecure']);
    const endless = client.run(ask({ busyUntil: '/nowhere' }));
    await logged('busy');
    expect((await client.run(ask())).desired.resources.has('echo')).toBe(true);
    expect(await get(`${plain}/healthz`)).toEqual([200, 'ok\n']);
    const message = 'cannot answer: it takes more than 20 seconds';
    expect(await endless).toMatchObject({
      results: [{ severity: 'Fatal', reason: 'DeadlineExceeded', message }],
      conditions: [{ type: 'ClaimAccepted', status: 'False', reason: 'DeadlineExceeded', message }],
    });
    expect(await logged(message)).toMatchObject({ level: 50, kind: 'XEcho', name: 'one' });
    const [, metrics] = await get(`${plain}/metrics`);
    expect(metrics).toContain(ENDED);
    expect((await client.run(ask())).desired.resources.has('echo')).toBe(true);
  });
});

describe('a call that needs more memory than any', () => {
  test('ends alone, and is answered with what Crossplane takes for fatal', async () => {
    const { plain, client, logged, child } = await running(['--insecure']);
    const message = 'cannot answer: it takes more than 512 MiB of memory';
    const [greedy, beside] = await Promise.all([client.run(ask({ hoard: true })), client.run(ask())]);
    expect(greedy).toMatchObject({
      results: [{ severity: 'Fatal', reason: 'MemoryExceeded', message }],
      conditions: [{ type: 'ClaimAccepted', status: 'False', reason: 'MemoryExceeded', message }],
    });
    expect(beside.results).toEqual([]);
    expect(await logged(message)).toMatchObject({ level: 50, kind: 'XEcho', name: 'one' });
    expect(await get(`${plain}/healthz`)).toEqual([200, 'ok\n']);
    expect((await client.run(ask())).desired.resources.has('echo')).toBe(true);
    expect(child.exitCode).toBeNull();
  });
});

describe('where a function listens', () => {
  test('is every address when none is given, IPv4 and IPv6', async () => {
    const { address, plain } = await running(['--insecure', '--address', ':0', '--metrics-address', ':0']);
    const [port, http] = [address, plain].map((text) => text.split(':').at(-1));
    for (const host of ['127.0.0.1', '[::1]']) {
      expect((await clientOf(`${host}:${port}`).run(ask())).results).toEqual([]);
      expect(await get(`http://${host}:${http}/healthz`)).toEqual([200, 'ok\n']);
    }
  });

  test('is one address of IPv6', async () => {
    const { address, client } = await running(['--insecure', '--address', '[::1]:0']);
    expect(address).toMatch(/^\[::1\]:[0-9]+$/);
    expect((await client.run(ask())).results).toEqual([]);
  });
});

describe('a function that cannot serve reports why in one line', () => {
  test('its port is in use: exit code 1', async () => {
    const { address } = await running(['--insecure']);
    const { code, stdout, stderr } = await start(['--insecure', '--address', address, ...OFF]).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `function-echo: cannot listen on "${address}": listen EADDRINUSE: address already in use ${address}\n`,
    );
  });

  test('the port for probes is in use: exit code 1', async () => {
    const { plain } = await running(['--insecure']);
    const taken = plain.replace('http://', '');
    const flags = ['--insecure', '--address', '127.0.0.1:0', '--metrics-address', taken];
    const { code, stderr } = await start(flags).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `function-echo: cannot listen on "${taken}": listen EADDRINUSE: address already in use ${taken}\n`,
    );
  });

  test.for([
    [['--bogus'], "cannot read the command line: Unknown option '--bogus'; --help lists what is accepted"],
    [['extra'], "cannot read the command line: Unexpected argument 'extra'; --help lists what is accepted"],
    [['--ttl', 'soon'], 'cannot accept --ttl "soon": accepted: a duration such as 90s or 10m'],
  ] as const)('its command line is %j: exit code 2', async ([flags, line]) => {
    const { code, stdout, stderr } = await start([...flags]).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`function-echo: ${line}\n`);
  });
});

test('--help lists every flag, on standard output, and exits with 0', async () => {
  const { code, stdout, stderr } = await start(['--help']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await expect(stdout).toMatchFileSnapshot('golden/help.txt');
});

async function get(url: string): Promise<readonly [number, string]> {
  const response = await fetch(url);
  return [response.status, await response.text()];
}

/** All health states that the function reports to a watcher. */
function watch(address: string): { readonly first: Promise<void>; readonly all: Promise<readonly string[]> } {
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const { path, requestSerialize, responseDeserialize } = SERVICE.watch;
  const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: '' });
  const seen: string[] = [];
  return {
    first: new Promise((resolve) => void stream.once('data', () => resolve())),
    all: new Promise((resolve, reject) => {
      stream
        .on('data', (serving: string) => seen.push(serving))
        .on('end', () => resolve(seen))
        .on('error', reject);
    }),
  };
}
