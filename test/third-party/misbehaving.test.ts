/**
 * A function of others that misbehaves, over gRPC: whatever it does, the command ends with one line that names the step,
 * its Composition, the function, its address and the cause.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createWebServer } from 'node:http';
import { RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import * as grpc from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { messageOf } from '#lib/api/errors.ts';
import { RUN_FUNCTION } from '#lib/wire/method.ts';
import { aComposition, anXr } from '#simulator/fake-functions.fixture.ts';
import { renderOnce } from '#simulator/render/render-once.ts';
import { type Callable, callable } from '../../cli/callable.ts';

type Handler = grpc.handleUnaryCall<Buffer, Buffer>;

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Port of a gRPC server whose function does this. */
async function served(handler: Handler): Promise<number> {
  const server = new grpc.Server();
  const bytes = (buffer: Buffer): Buffer => buffer;
  const codec = {
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  server.addService(
    { run: { path: RUN_FUNCTION, requestStream: false, responseStream: false, ...codec } },
    { run: handler },
  );
  closing.push(() => server.forceShutdown());
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    ),
  );
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const answers =
  (bytes: Uint8Array): Handler =>
  (_call, done) =>
    done(null, Buffer.from(bytes));

const says = (response: object): Handler =>
  answers(RunFunctionResponse.encode(RunFunctionResponse.fromJSON(response)).finish());

const composes = (resources: object): Handler => says({ desired: { resources } });

const XR = anXr('App', 'one');

/** For those that never answer; all others have as long as they need, however busy the machine is. */
const HANGS_MS = 400;

async function called(port: number, answerMs?: number): Promise<Callable> {
  const remote = [{ name: 'mine', host: '127.0.0.1', port }];
  const functions = await callable({ processes: false, remote, answerMs });
  closing.push(() => functions.stop());
  return functions;
}

/** What a render with a function that is served there says; times and ports are the same in every run. */
async function saidBy(port: number, answerMs?: number): Promise<string> {
  try {
    const functions = await called(port, answerMs);
    await renderOnce(XR, aComposition('App', 'mine'), { functions: functions.caller });
    return 'nothing';
  } catch (thrown) {
    return messageOf(thrown).replaceAll(String(port), 'PORT');
  }
}

const WHERE =
  'cannot render App "team-a/one": cannot run step "mine" of Composition "app" (function mine at 127.0.0.1:PORT): ';

interface Case {
  readonly what: string;
  readonly serve: () => Promise<number>;
  readonly cause: string;
  readonly answerMs?: number;
}

const cases: readonly Case[] = [
  {
    what: 'is not a gRPC server',
    serve: () => listening(createWebServer((_request, response) => response.end('hello'))),
    cause: 'no gRPC connection: Protocol error',
  },
  {
    what: 'closes every connection',
    serve: () => listening(createServer((socket) => socket.destroy())),
    cause: 'no gRPC connection: Failed to connect',
  },
  {
    what: 'takes the connection and never speaks',
    serve: () => listening(createServer(() => {})),
    cause: 'it did not answer within 0.4 s',
    answerMs: HANGS_MS,
  },
  {
    what: 'never answers',
    serve: () => served(() => {}),
    cause: 'it did not answer within 0.4 s',
    answerMs: HANGS_MS,
  },
  {
    what: 'serves another service',
    serve: () => served((_call, done) => done({ code: grpc.status.UNIMPLEMENTED, details: 'unknown method' })),
    cause: 'unknown method',
  },
  {
    what: 'throws',
    serve: () =>
      served(() => {
        throw new TypeError("Cannot read properties of undefined (reading 'name')");
      }),
    cause: 'Unknown error',
  },
  {
    what: 'answers nothing',
    serve: () => served(answers(new Uint8Array())),
    cause: 'its response is empty; accepted: at least what earlier steps desire, and the context of the request',
  },
  {
    what: 'answers bytes that are no message',
    serve: () => served(answers(Buffer.from('hello'))),
    cause: 'cannot read the answer: invalid wire type 4 at offset 3',
  },
  {
    what: 'answers a struct that ends too early',
    serve: () => served(answers(Uint8Array.of(0x12, 0x06, 0x0a, 0x04, 0x0a, 0x7f, 0x01, 0x02))),
    cause: 'cannot read the answer: index out of range: 6 + 127 > 8',
  },
  {
    what: 'returns a fatal result',
    serve: () =>
      served(
        says({
          results: [{ severity: 'SEVERITY_FATAL', message: "Cannot read properties of undefined (reading 'name')" }],
        }),
      ),
    cause: "Cannot read properties of undefined (reading 'name')",
  },
  {
    what: 'returns a fatal result without a message',
    serve: () => served(says({ results: [{ severity: 'SEVERITY_FATAL' }] })),
    cause: 'a result has no message',
  },
  {
    what: 'returns a condition without a type',
    serve: () => served(says({ conditions: [{ status: 'STATUS_CONDITION_TRUE', reason: 'Fine' }] })),
    cause: 'a condition has no type',
  },
  {
    what: 'desires a resource without content',
    serve: () => served(composes({ db: {} })),
    cause: 'desired resource "db": apiVersion is required',
  },
  {
    what: 'desires a resource without a kind',
    serve: () => served(composes({ db: { resource: { apiVersion: 'v1', metadata: { name: 'x' } } } })),
    cause: 'desired resource "db": kind is required',
  },
  {
    what: 'desires a kind that is no text',
    serve: () => served(composes({ db: { resource: { apiVersion: 'v1', kind: 7 } } })),
    cause: 'desired resource "db": kind is required',
  },
  {
    what: 'desires a resource whose metadata is a text',
    serve: () => served(composes({ db: { resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata: 'x' } } })),
    cause: 'desired resource "db": metadata is not an object',
  },
  {
    what: 'desires a resource whose name is a number',
    serve: () => served(composes({ db: { resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 7 } } } })),
    cause: 'desired resource "db": metadata.name is not a text',
  },
  {
    what: 'desires a resource without a key',
    serve: () => served(composes({ '': { resource: { apiVersion: 'v1', kind: 'ConfigMap' } } })),
    cause: 'a desired resource has no key; accepted: a name of its own in desired.resources',
  },
  {
    what: 'desires an XR that is no object',
    serve: () => served(says({ desired: { composite: { resource: { status: 'fine' } } } })),
    cause: 'the desired XR: status is not an object',
  },
  {
    what: 'requires something without a kind',
    serve: () => served(says({ requirements: { resources: { x: { apiVersion: 'v1', matchName: 'x' } } } })),
    cause: 'required resource "x": kind is required',
  },
  {
    what: 'requires something else in every round',
    serve: () => {
      let round = 0;
      return served((_call, done) => {
        round += 1;
        const resources = { x: { apiVersion: 'v1', kind: 'ConfigMap', matchName: `x${round}`, namespace: 'a' } };
        says({ requirements: { resources } })(_call, done);
      });
    },
    cause: "requirements didn't stabilize after the maximum number of iterations (5)",
  },
];

test.each(cases)('a function that $what is named with its step and the cause', async ({ serve, cause, answerMs }) => {
  const port = await serve();
  expect(await saidBy(port, answerMs)).toBe(WHERE + cause);
});

test('a port where nothing listens is refused before anything is called', async () => {
  const port = await listening(createServer());
  closing.pop()?.();
  expect(await saidBy(port)).toBe('cannot call function "mine" at 127.0.0.1:PORT: nothing listens there');
});

test.for([
  { what: 'never answers is waited for once', handler: (() => {}) as Handler, answerMs: HANGS_MS, calls: 1 },
  {
    what: 'refuses a call is called again, for it may answer the next one',
    handler: ((_call, done) => done({ code: grpc.status.UNAVAILABLE, details: 'busy' })) as Handler,
    answerMs: undefined,
    calls: 2,
  },
])('a function that $what', async ({ handler, answerMs, calls }) => {
  let count = 0;
  const port = await served((call, done) => {
    count += 1;
    handler(call, done);
  });
  const functions = await called(port, answerMs);
  const render = () => renderOnce(XR, aComposition('App', 'mine'), { functions: functions.caller });
  await expect(render()).rejects.toThrow('cannot run step "mine"');
  await expect(render()).rejects.toThrow('cannot run step "mine"');
  expect(count).toBe(calls);
});
