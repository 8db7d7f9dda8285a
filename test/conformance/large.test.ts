/** Large calls have threads of their own: nobody waits for them, and one that breaks is one failed call. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { SERVICE } from '#lib/serve/health.ts';
import { ask, running } from './function-process.ts';

const ALONE = ['--insecure', '--metrics-address', ''];

const large = (input: JsonObject): JsonObject => ({ ...input, value: { text: 'x'.repeat(1024 * 1024) } });

/** A file that does not exist yet: the calls that wait for it go on once it does. */
function gate(): { readonly file: string; readonly open: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-large-'));
  const file = join(folder, 'go');
  const open = (): void => writeFileSync(file, '');
  onTestFinished(() => {
    open();
    rmSync(folder, { recursive: true });
  });
  return { file, open };
}

function probe(address: string): Promise<unknown> {
  const client = new Client(address, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = SERVICE.check;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: '' }, (error, answer) => {
      client.close();
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

test('health probes and small calls are answered while ten large calls are in progress', async () => {
  const { address, client, logged } = await running(ALONE);
  const { file, open } = gate();
  let answered = 0;
  const calls = Array.from({ length: 10 }, async () => {
    const { desired } = await client.run(ask(large({ busyUntil: file })));
    answered += 1;
    return desired.resources.has('echo');
  });
  await logged('busy');
  expect(await probe(address)).toBe('SERVING');
  expect((await client.run(ask())).desired.resources.has('echo')).toBe(true);
  expect(answered).toBe(0);
  open();
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 10 }, () => true));
});

test('a large call is answered like a small one: refusals, defects, the time of the caller', async () => {
  const { client } = await running([...ALONE, '--clock', 'request']);
  const refused = await client.run(ask(large({ refuse: 'no' })));
  expect(refused.results).toMatchObject([{ severity: 'Fatal', message: 'no' }]);
  const broken = await client.run(ask(large({ break: true })));
  expect(JSON.stringify(broken.results)).not.toContain('secret-in-a-message');
  expect(broken.results).toMatchObject([{ severity: 'Fatal' }]);
  const now = new Date('2026-03-04T05:06:07Z');
  const { desired } = await client.run(ask(large({})), { now });
  expect(desired.resources.get('echo')?.resource['data']).toMatchObject({ now: now.toISOString() });
});

test('a thread that ends is one failed call; the next one gets another thread', async () => {
  const { client } = await running(ALONE);
  await expect(client.run(ask(large({ exit: true })))).rejects.toMatchObject({ code: 'Unavailable' });
  expect((await client.run(ask(large({})))).desired.resources.has('echo')).toBe(true);
});

test('a large call in progress is finished before the process stops', async () => {
  const { client, child, logged, ended } = await running(ALONE);
  const { file, open } = gate();
  const call = client.run(ask(large({ busyUntil: file })));
  await logged('busy');
  child.kill('SIGTERM');
  await logged('stopping');
  open();
  expect((await call).desired.resources.has('echo')).toBe(true);
  expect((await ended).code).toBe(0);
});
