import { afterEach, expect, test } from 'vitest';
import { KubeClient } from '#lib/kube/client.ts';
import { beginWatch, listOf, refuse, say, scriptedApi, type ScriptedApi } from '../../test/support/scripted-api.ts';
import { TestTime, until } from '../../test/support/test-time.ts';
import { Management } from './management.ts';

let api: ScriptedApi;
let management: Management;
let time: TestTime;
/** What the API says of lists, by what their path ends with. */
const refusals = new Map<string, number>();

afterEach(async () => {
  const stopped = management.stop();
  await api.close();
  await stopped;
  refusals.clear();
});

async function begin(): Promise<void> {
  time = new TestTime();
  api = await scriptedApi((response, { url = '' }) => {
    const { pathname, searchParams } = new URL(url, 'http://api');
    const status = refusals.get(pathname.split('/').at(-1) ?? '');
    if (status !== undefined) refuse(response, status, 'Refused');
    else if (searchParams.has('watch')) beginWatch(response)();
    else say(response, 200, listOf([], '1'));
  });
  management = new Management({
    client: new KubeClient({ server: api.server, credentials: {} }, { timing: time }),
    timing: time,
    random: () => 0.5,
    onNode: () => undefined,
    onConfig: () => undefined,
    onUsage: () => undefined,
    onError: () => undefined,
  });
  management.start();
}

test('it serves while kinds are missing that nobody has activated, and is ready once they are there', async () => {
  refusals.set('workloadnodes', 404);
  await begin();
  await until(() => management.isServing);
  expect(management.isReady).toBe(false);
  refusals.clear();
  await until(() => {
    time.pass(10);
    return management.isReady;
  });
  expect(management.isServing).toBe(true);
});

test('it does not serve while a kind cannot be read for another reason', async () => {
  refusals.set('workloadnodes', 403);
  await begin();
  await until(() => time.waits.length > 0);
  expect(management.isServing).toBe(false);
  refusals.clear();
  await until(() => {
    time.pass(10);
    return management.isServing;
  });
  expect(management.isReady).toBe(true);
});
