import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { newAuthority } from '../../test/support/certificates.ts';
import { listOf, refuse, say, type Script, type ScriptedApi, scriptedApi } from '../../test/support/scripted-api.ts';
import { settled, TestTime, until } from '../../test/support/test-time.ts';
import { KubeClient } from './client.ts';
import { KubeRefusal, Unreachable } from './refusal.ts';
import type { Resource } from './resource.ts';

const THINGS: Resource = { apiVersion: 'example.org/v1', kind: 'Thing', plural: 'things', namespaced: true };
const ONE = { namespace: 'team-a', name: 'one' };
const WRITE = { manager: 'slipway' };
const MIB = 1024 * 1024;
const MARK = 'dont-repeat-me';

const thing = (name: string, resourceVersion = '1'): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { namespace: 'team-a', name, resourceVersion },
});

let api: ScriptedApi;
let client: KubeClient;
let time: TestTime;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  client?.close();
  for (const end of ends.splice(0)) await end();
});

async function serving(script: Script, options: { readonly breaker?: boolean } = {}): Promise<void> {
  api = await scriptedApi(script);
  ends.push(() => api.close());
  clientOf(api.server, options);
}

function clientOf(server: string, options: { readonly breaker?: boolean } = {}): void {
  time = new TestTime();
  client = new KubeClient({ server, credentials: {} }, { timing: time, ...options });
}

async function failureOf(promise: Promise<unknown>): Promise<Unreachable> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Unreachable)) throw new Error(`it is ${String(thrown)}`);
  return thrown;
}

const html = (response: ServerResponse, code: number): void =>
  void response.writeHead(code, { 'content-type': 'text/html' }).end(`<html>${MARK}</html>`);

describe('an answer that is not from a Kubernetes API is reported in one short line, without its text', () => {
  const large = (bytes: number): string => `{"kind":"Thing","${MARK}":"${'x'.repeat(bytes)}"}`;
  test.for<{ title: string; script: Script; kind: string; why: string }>([
    { title: 'a page', script: (r) => html(r, 200), kind: 'NotKubernetes', why: 'the answer is not JSON' },
    { title: 'a list', script: (r) => say(r, 200, [MARK]), kind: 'NotKubernetes', why: 'the answer is not JSON' },
    { title: 'nothing', script: (r) => r.writeHead(200).end(), kind: 'NotKubernetes', why: 'the answer is not JSON' },
    {
      title: 'half of an object',
      script: (r) => r.writeHead(200).end(`{"kind":"Thing","${MARK}":`),
      kind: 'NotKubernetes',
      why: 'the answer is not JSON',
    },
    {
      title: 'an empty object',
      script: (r) => say(r, 200, {}),
      kind: 'NotKubernetes',
      why: 'the answer is not a Thing',
    },
    {
      title: 'another kind',
      script: (r) => say(r, 200, { kind: 'Other', name: MARK }),
      kind: 'NotKubernetes',
      why: 'the answer is not a Thing',
    },
    {
      title: 'ten megabytes',
      script: (r) => r.end(large(10 * MIB)),
      kind: 'TooLarge',
      why: 'the answer is larger than 4 MiB',
    },
    {
      title: 'garbage before its head',
      script: (r) => r.socket?.end(`${MARK}\r\n\r\n`),
      kind: 'NotKubernetes',
      why: 'the answer is not HTTP',
    },
    {
      title: 'less than it announced',
      script: (r) => {
        r.writeHead(200, { 'content-length': '100' });
        r.write(`{"${MARK}"`, () => r.socket?.destroy());
      },
      kind: 'NoConnection',
      why: 'the connection was reset',
    },
  ])('$title', async ({ script, kind, why }) => {
    await serving(script);
    const error = await failureOf(client.get(THINGS, ONE));
    expect(error).toMatchObject({ kind, why, message: `cannot get Thing "team-a/one" at "${api.server}": ${why}` });
    expect(inspect(error, { depth: 10 }), 'what a log would show').not.toContain(MARK);
  });

  test('a list that is none does not pass for an empty one', async () => {
    const answers = [
      {},
      { items: [] },
      { metadata: { resourceVersion: '1' }, items: {} },
      listOf([{ kind: '', apiVersion: '' }], '1'),
    ];
    await serving((response, _request, nth) => say(response, 200, answers[nth]));
    for (const _answer of answers)
      expect(await failureOf(client.list(THINGS))).toMatchObject({
        kind: 'NotKubernetes',
        why: 'the answer is not a list',
      });
  });
});

describe('a refusal', () => {
  test('has what the API says: status, reason, causes, and when to ask again', async () => {
    const causes = [{ reason: 'DisruptionBudget', field: 'spec', message: 'the budget needs 2' }];
    await serving((response) =>
      say(
        response,
        429,
        { kind: 'Status', message: 'not\nnow', reason: 'TooManyRequests', details: { causes } },
        { 'retry-after': '7' },
      ),
    );
    await expect(client.get(THINGS, ONE)).rejects.toMatchObject({
      status: 429,
      kubeReason: 'TooManyRequests',
      causes,
      retryAfter: 7,
      text: 'not now',
      message: `cannot get Thing "team-a/one" at "${api.server}": not now`,
    });
  });

  test('by a page of a load balancer has its status only', async () => {
    await serving((response) => html(response, 503));
    await expect(client.get(THINGS, ONE)).rejects.toMatchObject({ status: 503, text: 'HTTP 503', causes: [] });
  });

  test.for([
    { header: '86400', seconds: 300 },
    { header: 'Fri, 31 Dec 1999 23:59:59 GMT', seconds: undefined },
    { header: '-1', seconds: undefined },
  ])('asks for at most five minutes: $header', async ({ header, seconds }) => {
    await serving((response) => refuse(response, 503, 'busy', { 'retry-after': header }));
    const refusal = await client.get(THINGS, ONE).catch((thrown: unknown) => thrown);
    expect((refusal as KubeRefusal).retryAfter).toBe(seconds);
  });

  test('with a megabyte of words is one line, and has twenty of its causes', async () => {
    const cause = { reason: 'r', field: 'f', message: 'm' };
    const body = {
      kind: 'Status',
      message: `first\n${'x '.repeat(MIB / 2)} last`,
      details: { causes: Array(1000).fill(cause) },
    };
    await serving((response) => say(response, 422, body));
    const refusal = (await client.get(THINGS, ONE).catch((thrown: unknown) => thrown)) as KubeRefusal;
    expect(refusal.text).toMatch(/^first .* last$/);
    expect(refusal.text.length).toBeLessThanOrEqual(1024);
    expect(refusal.causes).toHaveLength(20);
  });

  test('that leads elsewhere is not followed', async () => {
    const other = await scriptedApi((response) => say(response, 200, thing('one')));
    ends.push(() => other.close());
    await serving((response) => response.writeHead(302, { location: `${other.server}/things/one` }).end());
    await expect(client.get(THINGS, ONE)).rejects.toMatchObject({ status: 302 });
    expect(other.requests).toEqual([]);
  });
});

describe('a request ends', () => {
  test('after 30 seconds, also when bytes trickle in', async () => {
    let trickle: NodeJS.Timeout | undefined;
    let bytes = 0;
    await serving((response) => {
      response.writeHead(200);
      trickle = setInterval(() => response.write(' ', () => (bytes += 1)), 1);
    });
    const failed = failureOf(client.get(THINGS, ONE));
    await until(() => bytes > 5);
    expect(time.waits).toEqual([30]);
    time.pass(30);
    expect(await failed).toMatchObject({ kind: 'Timeout', why: 'no answer within 30 s' });
    clearInterval(trickle);
  });

  test('after 10 seconds without a TLS handshake', async () => {
    const deaf = await listening(createServer(() => undefined));
    clientOf(`https://127.0.0.1:${deaf}`);
    const failed = failureOf(client.get(THINGS, ONE));
    await until(() => time.waits[0] === 10);
    time.pass(10);
    expect(await failed).toMatchObject({ kind: 'Timeout', why: 'no connection in time' });
  });

  test('when its caller gives up', async () => {
    await serving(() => undefined);
    const stopped = new AbortController();
    const failed = failureOf(client.bounded({ signal: stopped.signal }).list(THINGS));
    await until(() => api.requests.length === 1);
    stopped.abort();
    expect(await failed).toMatchObject({ kind: 'Stopped' });
  });

  test('earlier for a caller that has less time, over the same connections', async () => {
    await serving((response, _request, nth) => (nth === 1 ? undefined : say(response, 200, thing('one'))));
    await client.get(THINGS, ONE);
    const hasty = client.bounded({ within: 5 });
    const failed = failureOf(hasty.get(THINGS, ONE));
    await until(() => api.requests.length === 2);
    expect(api.connections).toBe(1);
    time.pass(5);
    expect(await failed).toMatchObject({ kind: 'Timeout', why: 'no answer within 5 s' });
    expect(time.waits).toEqual([]);
  });
});

describe('connections', () => {
  test('are kept, and at most sixteen are open for requests', async () => {
    const open: ServerResponse[] = [];
    await serving((response) => open.push(response));
    const all = Array.from({ length: 40 }, (_, index) => client.get(THINGS, { ...ONE, name: `${index}` }));
    await until(() => open.length === 16);
    await settled();
    expect(open).toHaveLength(16);
    for (let nth = 0; nth < 40; nth += 1) {
      await until(() => open.length > nth);
      say(open[nth]!, 200, thing('one'));
    }
    await Promise.all(all);
    expect(api.connections).toBe(16);
  });

  test('that the server closed in the moment of a request are tried again, where nothing is written', async () => {
    await serving((response, { method }, nth) => {
      if (nth % 2 === 1) response.socket?.resetAndDestroy();
      else say(response, 200, thing(method === 'GET' ? 'read' : 'written'));
    });
    await client.get(THINGS, ONE);
    expect((await client.get(THINGS, ONE)).metadata?.name).toBe('read');
    expect(api.requests).toHaveLength(3);
    const written = client.create(THINGS, thing('one'), WRITE);
    await expect(written).rejects.toMatchObject({ why: 'the connection was reset' });
    expect(api.requests).toHaveLength(4);
  });

  test('that nobody listens to are refused', async () => {
    await serving(() => undefined);
    await api.kill();
    expect(await failureOf(client.get(THINGS, ONE))).toMatchObject({ kind: 'NoConnection', why: 'connection refused' });
  });
});

describe('TLS', () => {
  const serve = async (options: object = {}): Promise<{ readonly ca: Buffer; readonly server: string }> => {
    const { ca, cert, key } = await (await newAuthority()).issue('api');
    const server = createTlsServer({ cert, key, ca, ...options }, (_request, response) =>
      say(response, 200, thing('one')),
    );
    return { ca, server: `https://127.0.0.1:${await listening(server)}` };
  };

  test.for([
    {
      title: 'signed by somebody else',
      trusted: false,
      name: '127.0.0.1',
      why: 'its certificate is signed by an unknown authority',
    },
    { title: 'for another name', trusted: true, name: 'elsewhere', why: 'its certificate is for another name' },
  ])('is refused with a certificate $title', async ({ trusted, name, why }) => {
    const { ca, server } = await serve();
    client = new KubeClient({
      server,
      credentials: { servername: name === '127.0.0.1' ? undefined : name, ...(trusted ? { ca } : {}) },
    });
    expect(await failureOf(client.get(THINGS, ONE))).toMatchObject({ kind: 'BadCertificate', why });
  });

  test('is refused by a server that knows no certificate of ours', async () => {
    const { ca, server } = await serve({ requestCert: true, rejectUnauthorized: true });
    client = new KubeClient({ server, credentials: { ca } });
    expect(await failureOf(client.get(THINGS, ONE))).toMatchObject({
      kind: 'BadCertificate',
      why: 'it does not accept the client certificate',
    });
  });

  test('is not what a plain server speaks', async () => {
    await serving((response) => say(response, 200, thing('one')));
    clientOf(api.server.replace('http:', 'https:'));
    expect(await failureOf(client.get(THINGS, ONE))).toMatchObject({
      kind: 'NotKubernetes',
      why: 'it does not speak TLS',
    });
  });
});

describe('a list', () => {
  test('begins again once when it expires between two pages', async () => {
    await serving((response, { url = '' }, nth) => {
      if (nth === 1) refuse(response, 410, 'Expired');
      else say(response, 200, url.includes('continue') ? listOf([thing('b')], '5') : listOf([thing('a')], '5', 'next'));
    });
    expect(await client.list(THINGS)).toEqual({ items: [thing('a'), thing('b')], resourceVersion: '5' });
    expect(api.requests).toHaveLength(4);
  });

  test('asks for smaller pages where objects are large, down to one', async () => {
    const most = { '500': 40, '50': 33, '5': 20, '1': 1 } as const;
    await serving((response, { url = '' }) => {
      const limit = new URL(url, 'http://api').searchParams.get('limit') as keyof typeof most;
      const large = { ...thing('a'), data: 'x'.repeat(most[limit] * MIB) };
      say(response, 200, listOf([large], '5'));
    });
    expect((await client.list(THINGS)).items).toHaveLength(1);
    expect(api.requests.map((request) => /limit=(\d+)/.exec(request)?.[1])).toEqual(['500', '50', '5']);
  });
});

describe('a write', () => {
  test('names its manager, and what it holds for', async () => {
    const asked: string[] = [];
    await serving((response, request) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        const path = url?.replace('/apis/example.org/v1/namespaces/team-a', '');
        asked.push(`${method} ${path} ${headers['content-type']} ${Buffer.concat(chunks).toString('utf8')}`);
        say(response, 200, thing('one'));
      });
    });
    const body = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { namespace: 'team-a', name: 'one' } };
    const manager = { manager: 'slipway/node one' };
    await client.create(THINGS, body, manager);
    await client.apply(THINGS, body, { ...manager, subresource: 'status', force: true });
    await client.patch(THINGS, ONE, { metadata: { uid: 'u' } }, manager);
    await client.patch(THINGS, ONE, [{ op: 'remove', path: '/spec' }], manager);
    await client.post(THINGS, ONE, 'eviction', { a: 1 }, 'evict it');
    await client.put(THINGS, ONE, { ...manager, subresource: 'approval' }, body, 'approve it');
    await client.delete(THINGS, ONE, 'u');
    const text = JSON.stringify(body);
    const options =
      '{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Background","preconditions":{"uid":"u"}}';
    expect(asked).toEqual([
      `POST /things?fieldManager=slipway%2Fnode+one application/json ${text}`,
      `PATCH /things/one/status?fieldManager=slipway%2Fnode+one&force=true application/apply-patch+yaml ${text}`,
      'PATCH /things/one?fieldManager=slipway%2Fnode+one application/merge-patch+json {"metadata":{"uid":"u"}}',
      'PATCH /things/one?fieldManager=slipway%2Fnode+one application/json-patch+json [{"op":"remove","path":"/spec"}]',
      'POST /things/one/eviction application/json {"a":1}',
      `PUT /things/one/approval?fieldManager=slipway%2Fnode+one application/json ${text}`,
      `DELETE /things/one application/json ${options}`,
    ]);
  });

  test('that deletes what is gone is done', async () => {
    await serving((response) => refuse(response, 404, 'NotFound'));
    await client.delete(THINGS, ONE);
    expect(await client.find(THINGS, ONE)).toBeUndefined();
  });
});

test('every answer is told, with 0 where none came', async () => {
  const told: [string, number][] = [];
  await serving((response, { url }) =>
    url?.includes('gone') ? refuse(response, 404, 'NotFound') : say(response, 200, thing('one')),
  );
  client = new KubeClient(
    { server: api.server, credentials: {} },
    { timing: time, onAnswer: (method, status) => void told.push([method, status]) },
  );
  await client.get(THINGS, ONE);
  await client.get(THINGS, { ...ONE, name: 'gone' }).catch(() => undefined);
  await api.kill();
  await client.patch(THINGS, ONE, {}, WRITE).catch(() => undefined);
  expect(told).toEqual([
    ['GET', 200],
    ['GET', 404],
    ['PATCH', 0],
  ]);
});

describe('an API that does not answer', () => {
  test('is not asked any more after five times, and once every 30 seconds', async () => {
    let isIll = true;
    await serving((response) => (isIll ? html(response, 200) : say(response, 200, thing('one'))), { breaker: true });
    const ask = (): Promise<unknown> => client.get(THINGS, ONE);
    for (let times = 0; times < 5; times += 1) expect((await failureOf(ask())).kind).toBe('NotKubernetes');
    expect(await failureOf(ask())).toMatchObject({
      kind: 'BreakerOpen',
      why: 'the answer is not JSON',
    });
    time.pass(29);
    expect((await failureOf(ask())).kind).toBe('BreakerOpen');
    time.pass(1);
    const [first, second] = await Promise.all([failureOf(ask()), failureOf(ask())]);
    expect([first.kind, second.kind]).toEqual(['NotKubernetes', 'BreakerOpen']);
    expect(api.requests).toHaveLength(6);

    isIll = false;
    time.pass(30);
    await ask();
    await ask();
    expect(api.requests).toHaveLength(8);
  });

  test('is asked as long as it refuses: that is an answer', async () => {
    await serving((response) => refuse(response, 500, 'InternalError'), { breaker: true });
    for (let times = 0; times < 10; times += 1)
      await expect(client.get(THINGS, ONE)).rejects.toBeInstanceOf(KubeRefusal);
    expect(api.requests).toHaveLength(10);
  });
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
