import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import {
  beginWatch,
  listOf,
  refuse,
  say,
  type ScriptedApi,
  scriptedApi,
  type WatchLine,
} from '../../test/support/scripted-api.ts';
import { settled, TestTime, until } from '../../test/support/test-time.ts';
import { KubeClient } from './client.ts';
import { Informer, type InformerParts } from './informer.ts';
import type { Resource } from './resource.ts';

const THINGS: Resource = { apiVersion: 'example.org/v1', kind: 'Thing', plural: 'things', namespaced: true };

const thing = (name: string, version: number, spec: JsonObject = {}, uid = `uid-${name}`): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { namespace: 'team-a', name, uid, resourceVersion: String(version), managedFields: [{ manager: 'm' }] },
  spec,
});

const event = (type: WatchLine['type'], object: KubeObject): WatchLine => ({ type, object });
const bookmark = (version: number): WatchLine => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(version) } },
});

interface Asked {
  readonly response: ServerResponse;
  /** Undefined: a list. */
  readonly from: string | undefined;
  readonly timeout: number;
}

let api: ScriptedApi;
let time: TestTime;
let informer: Informer;
let asked: Asked[];
let told: string[];
let errors: unknown[];

beforeEach(async () => {
  [asked, told, errors, time] = [[], [], [], new TestTime()];
  api = await scriptedApi((response, { url = '' }) => {
    const { searchParams } = new URL(url, 'http://api');
    const from = searchParams.get('watch') === null ? undefined : (searchParams.get('resourceVersion') ?? '');
    asked.push({ response, from, timeout: Number(searchParams.get('timeoutSeconds')) });
  });
});
afterEach(async () => {
  const stopped = informer.stop();
  await api.close();
  await stopped;
});

function start(parts: Partial<InformerParts> = {}): void {
  const client = new KubeClient({ server: api.server, credentials: {} }, { timing: time });
  informer = new Informer({
    client,
    timing: time,
    random: () => 0.5,
    resource: THINGS,
    onChange: (before, after) => told.push(`${shown(before)} -> ${shown(after)}`),
    onError: (thrown) => errors.push(thrown),
    ...parts,
  });
  informer.start();
}

function shown(object: KubeObject | undefined): string {
  return object === undefined ? 'nothing' : `${object.metadata?.name}@${object.metadata?.resourceVersion}`;
}

/** The next request, which must be a list or a watch. */
async function next(what: 'list' | 'watch'): Promise<Asked> {
  await until(() => asked.length > 0);
  const one = asked.shift()!;
  expect(one.from === undefined ? 'list' : 'watch').toBe(what);
  return one;
}

async function listed(version: number, ...objects: readonly KubeObject[]): Promise<void> {
  say((await next('list')).response, 200, listOf(objects, String(version)));
}

/** An open watch, from this version. */
async function watching(
  from: number,
): Promise<{ readonly tell: ReturnType<typeof beginWatch>; readonly response: ServerResponse }> {
  const watch = await next('watch');
  expect(watch.from).toBe(String(from));
  return { tell: beginWatch(watch.response), response: watch.response };
}

/** Seconds of connecting, of a request, and of a silent watch. */
const LIMITS = new Set([10, 30, 150]);

/** Passes the only time that is waited for before the next request. */
async function waits(seconds: number): Promise<void> {
  await until(() => time.waits.some((one) => !LIMITS.has(one)));
  expect(time.waits).toEqual([seconds]);
  expect(asked).toEqual([]);
  time.pass(seconds);
}

describe('an informer', () => {
  test('lists, watches from there, and tells what was and what is', async () => {
    start();
    expect(informer.isSynced).toBe(false);
    await listed(5, thing('a', 3), thing('b', 4));
    await informer.synced;
    const { tell } = await watching(5);
    tell(
      event('MODIFIED', thing('a', 6)),
      event('ADDED', thing('c', 7)),
      event('DELETED', thing('b', 8)),
      bookmark(20),
    );
    await until(() => informer.counts.events === 4);
    expect(told).toEqual(['nothing -> a@3', 'nothing -> b@4', 'a@3 -> a@6', 'nothing -> c@7', 'b@4 -> nothing']);
    expect(informer.list().map(shown)).toEqual(['a@6', 'c@7']);
    expect(informer.counts).toMatchObject({ lists: 1, watches: 1, failures: 0 });
  });

  test('hands out objects that nobody can change, without what nobody reads', async () => {
    start({ slim: ({ status: _unread, ...object }) => object });
    await listed(5, { ...thing('a', 3, { deep: { list: [1] } }), status: { images: ['many'] } });
    await informer.synced;
    const object = informer.get('a', 'team-a')!;
    expect(object.metadata).not.toHaveProperty('managedFields');
    expect(object).not.toHaveProperty('status');
    expect(() => ((object.spec!['deep'] as { list: number[] }).list[0] = 2)).toThrow(TypeError);
  });

  test('says nothing of changes that do not matter, and knows them', async () => {
    start({ matters: (before, after) => before.spec?.['heartbeat'] === after.spec?.['heartbeat'] });
    await listed(5, thing('a', 3, { heartbeat: 1 }));
    const { tell } = await watching(5);
    tell(
      event('MODIFIED', thing('a', 6, { heartbeat: 2 })),
      event('MODIFIED', thing('a', 7, { heartbeat: 2, size: 1 })),
    );
    await until(() => informer.counts.events === 2);
    expect(told).toEqual(['nothing -> a@3', 'a@6 -> a@7']);
  });

  test('finds objects by a key of the caller, also after the key changed', async () => {
    start({ index: (object) => object.spec?.['of'] as string | undefined });
    await listed(5, thing('a', 3, { of: 'x' }), thing('b', 4, { of: 'x' }), thing('c', 5));
    const { tell } = await watching(5);
    expect(informer.byIndex('x').map(shown)).toEqual(['a@3', 'b@4']);
    tell(event('MODIFIED', thing('a', 6, { of: 'y' })), event('DELETED', thing('b', 7, { of: 'x' })));
    await until(() => informer.counts.events === 2);
    expect([informer.byIndex('x'), informer.byIndex('y').map(shown)]).toEqual([[], ['a@6']]);
  });

  test('tells that an object is gone and another has its name, if it saw only the second', async () => {
    start();
    await listed(5, thing('a', 3));
    const { tell } = await watching(5);
    tell(event('MODIFIED', thing('a', 9, {}, 'another')));
    await until(() => told.length === 3);
    expect(told.slice(1)).toEqual(['a@3 -> nothing', 'nothing -> a@9']);
  });

  test('whoever is told about one object of a list finds the others', async () => {
    const found: number[] = [];
    start({ onChange: () => found.push(informer.list().length) });
    await listed(5, thing('a', 3), thing('b', 4));
    await informer.synced;
    expect(found).toEqual([2, 2]);
  });

  test('goes on when whoever is told throws', async () => {
    start({
      onChange: (_before, after) => {
        if (after?.metadata?.name === 'a') throw new Error('a defect');
        told.push(shown(after));
      },
    });
    await listed(5, thing('a', 3), thing('b', 4));
    await watching(5);
    expect([told, errors]).toEqual([['b@4'], [new Error('a defect')]]);
    expect(informer.failure).toBeUndefined();
  });
});

describe('a watch', () => {
  test('asks for bookmarks, and to be ended after four to five minutes', async () => {
    for (const [random, seconds] of [
      [0, 240],
      [0.999, 300],
    ] as const) {
      start({ random: () => random });
      await listed(5);
      expect((await next('watch')).timeout).toBe(seconds);
      expect(api.requests.at(-1)).toContain('allowWatchBookmarks=true');
      await informer.stop();
    }
  });

  test('that the server ended goes on from the last bookmark, at once', async () => {
    start();
    await listed(5);
    const first = await watching(5);
    first.tell(bookmark(90));
    await until(() => informer.counts.events === 1);
    time.pass(60);
    first.response.end();
    await watching(90);
    expect([informer.counts.lists, errors]).toEqual([1, []]);
  });

  test('that is cut off within an event repeats the event', async () => {
    start();
    await listed(5);
    const first = await watching(5);
    first.tell(event('ADDED', thing('a', 6)));
    first.response.end(JSON.stringify(event('ADDED', thing('b', 7))).slice(0, 50));
    await waits(0.5);
    const second = await watching(6);
    expect(told).toEqual(['nothing -> a@6']);
    second.tell(event('ADDED', thing('b', 7)));
    await until(() => told.length === 2);
  });

  test('joins an event from its pieces, also where a letter was cut', async () => {
    start();
    await listed(5);
    const { response } = await watching(5);
    const bytes = Buffer.from(`${JSON.stringify(event('ADDED', thing('a', 6, { text: 'schön' })))}\n`);
    const middle = bytes.indexOf(Buffer.from('ö')) + 1;
    response.write(bytes.subarray(0, middle));
    await settled();
    response.write(bytes.subarray(middle));
    await until(() => told.length === 1);
    expect(informer.get('a', 'team-a')?.spec).toEqual({ text: 'schön' });
  });

  test('that is silent for 150 seconds begins again where it was, which is no failure', async () => {
    start();
    await listed(5, thing('a', 3));
    const { tell } = await watching(5);
    tell(bookmark(8));
    await until(() => informer.counts.events === 1);
    time.pass(149);
    expect(asked).toEqual([]);
    time.pass(1);
    await watching(8);
    expect([informer.counts, errors]).toMatchObject([{ silent: 1, failures: 0, lists: 1 }, []]);
  });

  test('that is not even accepted within 30 seconds failed', async () => {
    start();
    await listed(5);
    await next('watch');
    time.pass(30);
    await until(() => errors.length === 1);
    expect(errors[0]).toMatchObject({ kind: 'Timeout', why: 'no answer within 30 s' });
    await waits(0.5);
    await watching(5);
  });

  test.for<{ title: string; line: string; why: string }>([
    { title: 'a page', line: '<html>secret</html>\n', why: 'an event is not JSON' },
    { title: 'an event without an object', line: '{"type":"ADDED"}\n', why: 'an event is not JSON' },
    {
      title: 'an unknown event',
      line: '{"type":"X","object":{"metadata":{"resourceVersion":"9"}}}\n',
      why: 'an event is not JSON',
    },
    { title: 'an endless line', line: 'x'.repeat(9 * 1024 * 1024), why: 'an event is larger than 8 MiB' },
  ])('that brings $title ends, is counted, and what there is is listed', async ({ line, why }) => {
    start();
    await listed(5);
    const { response } = await watching(5);
    response.write(line);
    await until(() => errors.length === 1);
    expect(errors[0]).toMatchObject({ why, message: `cannot watch Thing at "${api.server}": ${why}` });
    expect(informer.counts.failures).toBe(1);
    await waits(0.5);
    await listed(50);
    await watching(50);
  });

  test('answered by a page of a load balancer failed', async () => {
    start();
    await listed(5);
    (await next('watch')).response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    await until(() => errors.length === 1);
    expect(errors[0]).toMatchObject({ kind: 'NotKubernetes', why: 'the answer is not JSON' });
    expect(informer.counts.garbled).toBe(1);
  });
});

describe('a version that is too old', () => {
  const tooOld = { code: 410, reason: 'Expired', message: 'too old resource version', kind: 'Status' };

  test.for([
    { how: 'as the answer', say: ({ response }: Asked) => refuse(response, 410, 'Expired') },
    { how: 'as an event', say: ({ response }: Asked) => beginWatch(response)({ type: 'ERROR', object: tooOld }) },
  ])('is listed again at once: $how', async ({ say }) => {
    start();
    await listed(5, thing('a', 3), thing('b', 4));
    say(await next('watch'));
    await listed(50, thing('b', 44));
    await watching(50);
    expect(told.slice(2)).toEqual(['a@3 -> nothing', 'b@4 -> b@44']);
    expect([errors, informer.counts]).toMatchObject([[], { expired: 1, lists: 2, failures: 0 }]);
  });

  test('again and again is listed ever later, not in a loop', async () => {
    start();
    await listed(5);
    refuse((await next('watch')).response, 410, 'Expired');
    for (const seconds of [1, 2, 4, 8, 16]) {
      await listed(5);
      refuse((await next('watch')).response, 410, 'Expired');
      await waits(seconds);
    }
    expect(informer.counts.expired).toBe(6);
  });
});

describe('an API that refuses', () => {
  test('is asked again when it says so', async () => {
    start();
    refuse((await next('list')).response, 429, 'TooManyRequests', { 'retry-after': '17' });
    await waits(17);
    await listed(5);
    await watching(5);
    expect(informer.counts.failures).toBe(1);
  });

  test('with a server error is asked ever later, at a random time, at most every minute', async () => {
    start({ random: () => 0.999 });
    const seconds: number[] = [];
    for (let times = 0; times < 9; times += 1) {
      refuse((await next('list')).response, 503, 'ServiceUnavailable');
      await until(() => time.waits.length === 1 && !LIMITS.has(time.waits[0]!));
      seconds.push(Math.round(time.waits[0]!));
      time.pass(time.waits[0]!);
    }
    expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('the watch alone is not listed in a loop', async () => {
    start();
    for (const seconds of [0.5, 1, 2, 4]) {
      await listed(5);
      refuse((await next('watch')).response, 403, 'Forbidden');
      await waits(seconds);
    }
    expect(informer.failure).toMatchObject({ status: 403 });
    await listed(5);
    await watching(5);
    await until(() => informer.counts.watches === 1);
    expect(informer.failure).toBeUndefined();
  });

  test('with a server error during the watch is not listed again', async () => {
    start();
    await listed(5);
    refuse((await next('watch')).response, 500, 'InternalError');
    await waits(0.5);
    await watching(5);
    expect(informer.counts.lists).toBe(1);
  });

  test('keeps what is known', async () => {
    start();
    await listed(5, thing('a', 3));
    refuse((await next('watch')).response, 401, 'Unauthorized');
    await waits(0.5);
    say((await next('list')).response, 200, {});
    await until(() => errors.length === 2);
    expect(informer.list().map(shown)).toEqual(['a@3']);
  });
});

test('a server that ends every watch at once is not asked in a loop', async () => {
  start();
  await listed(5);
  for (const seconds of [0.5, 1, 2, 4]) {
    const { response } = await watching(5);
    response.end();
    await waits(seconds);
  }
  expect([informer.counts.lists, errors]).toEqual([1, []]);
});

test('a kind that does not exist yet is looked for as often as its user wants, and found', async () => {
  start({ retryWithin: 3 });
  for (const seconds of [0.5, 1, 1.5, 1.5]) {
    await until(() => asked.length > 0);
    refuse((await next('list')).response, 404, 'NotFound');
    await waits(seconds);
  }
  await listed(5, thing('a', 3));
  await until(() => informer.isSynced);
  expect(told).toEqual(['nothing -> a@3']);
});

test('a server that is killed and comes back is watched from where the watch was', async () => {
  start();
  await listed(5, thing('a', 3));
  const { tell } = await watching(5);
  tell(event('MODIFIED', thing('a', 6)));
  await until(() => told.length === 2);
  await api.kill();
  await waits(0.5);
  await until(() => time.waits.includes(1));
  await api.restart();
  await waits(1);
  await watching(6);
  expect(errors).toMatchObject([{ why: 'the connection was reset' }, { why: 'connection refused' }]);
});

test('an informer that is stopped ends its list or watch, and is never synced', async () => {
  start();
  await next('list');
  await informer.stop();
  expect([informer.isSynced, errors, time.waits]).toEqual([false, [], []]);
});
