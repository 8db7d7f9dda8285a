/** What hostile requests found, by cause: each was an internal error, a long message, or worse. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { decodeAnswer } from '#lib/wire/answer.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { answer } from '#lib/wire/shell.ts';
import type { Request } from '#lib/fn/request.ts';
import { pino } from 'pino';
import { run as inPlaceUpdate } from '../../functions/in-place-update/fn.ts';
import { run as cluster } from '../../functions/cluster/fn.ts';
import { aClaim, anInput } from '../../functions/cluster/cluster.fixture.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { aRequest, aWorld } from '../support/request.ts';
import { SUBJECTS } from './requests.ts';

async function ask(run: CompositionFunction, request: Request) {
  const bytes = encodeRequest(request);
  return decodeAnswer((await answer({ run, logger: pino({ enabled: false }) }, bytes, aWorld())).bytes);
}

const anUpdate = async (): Promise<Request> => (await SUBJECTS['in-place-update']!.valid())[0]!;

function desiring(request: Request, change: (object: KubeObject) => unknown): Request {
  const resources = new Map(
    [...request.desired.resources].map(([key, one]) => [key, { ...one, resource: change(one.resource) as KubeObject }]),
  );
  return { ...request, desired: { ...request.desired, resources } };
}

test.for<[string, unknown, string]>([
  ['apiVersion', { apiVersion: null }, 'apiVersion is not text'],
  ['kind', { kind: 7 }, 'kind is not text'],
  ['metadata', { metadata: 'x' }, 'metadata is not an object'],
  ['metadata.name', { metadata: { name: ['x'] } }, 'metadata.name is not text'],
  ['metadata.labels', { metadata: { labels: { a: 1 } } }, 'metadata.labels is not an object of texts'],
  ['spec', { spec: 'x' }, 'spec is not an object'],
])('an object of an earlier step with another type of %s is refused', async ([, wrong, reason]) => {
  const request = desiring(await anUpdate(), (object) => ({ ...object, ...(wrong as object) }));
  const { results } = await ask(inPlaceUpdate, request);
  expect(results).toMatchObject([
    { severity: 'Fatal', reason: 'BrokenContract', message: `cannot read a resource of the message: ${reason}` },
  ]);
});

test('null in metadata means nothing, as programs in Go write it', async () => {
  const request = desiring(await anUpdate(), (object) => ({
    ...object,
    metadata: { ...object.metadata, creationTimestamp: null, deletionTimestamp: null },
    status: null,
  }));
  expect((await ask(inPlaceUpdate, request)).results.filter(({ severity }) => severity === 'Fatal')).toEqual([]);
});

test('a field of a Machine with the name of an inherited one is no internal error', async () => {
  const request = desiring(await anUpdate(), ({ spec, ...object }) => ({
    ...object,
    spec: { ...spec, machine: { class: 'a', valueOf: 'x' } },
  }));
  expect((await ask(inPlaceUpdate, request)).results.filter(({ reason }) => reason === 'Internal')).toEqual([]);
});

test('no Machine is removed by an update step that selects another kind', async () => {
  const request = await anUpdate();
  const input = { ...request.input, select: { apiVersion: 'example.org/v1', kind: 'Server' } };
  const { results } = await ask(inPlaceUpdate, { ...request, input });
  expect(results).toMatchObject([{ severity: 'Fatal', reason: 'UnlawfulRemoval' }]);
  expect(results[0]?.message).toMatch(/: select is another kind: example\.org\/Server$/);
});

test.for([
  ['long', 'x'.repeat(5000)],
  ['long in bytes', 'ä'.repeat(5000)],
  ['long in code points', '😀'.repeat(5000)],
  ['in several lines', 'a\u0000b\u001b[31m\nc'],
] as const)('a message about a namespace that is %s has one line and at most 1 kB', async ([, namespace]) => {
  const claim = { ...aClaim({ version: 7 }), metadata: { name: 'prod', namespace } };
  const { results, conditions } = await ask(cluster, aRequest({ composite: claim, input: anInput() }));
  for (const { message = '' } of [...results, ...conditions]) {
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1024);
    expect(message).toMatch(/^cannot accept Cluster \P{Cc}+ accepted: v1\.<minor>\.<patch> such as v1\.37\.1$/u);
  }
});
