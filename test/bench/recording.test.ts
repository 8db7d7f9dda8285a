/** Requests of a real Crossplane, from between it and a function to what `npm run bench -- --recorded` measures. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { TTL } from '#lib/api/words.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { clientOf, running } from '../conformance/function-process.ts';
import { newAuthority, certificateFolder } from '../support/certificates.ts';
import { Recording, recordedIn, recordingFolder } from '../support/recording.ts';
import { Relay } from '../support/relay.ts';
import { aRequest } from '../support/request.ts';
import { RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { realRequests } from './requests.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-requests-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const anXr = (name: string, spec: JsonObject = {}) =>
  aRequest({ composite: { apiVersion: 'example.org/v1', kind: 'Echo', metadata: { name }, spec } });
const bytesOf = (name: string, spec?: JsonObject): Buffer => Buffer.from(encodeRequest(anXr(name, spec)));
const answer = (ttl: number, status: JsonObject = {}): Uint8Array =>
  RunFunctionResponse.encode(
    RunFunctionResponse.fromPartial({
      meta: { tag: '', ttl: { seconds: ttl, nanos: 0 } },
      desired: { composite: { resource: { status } }, resources: {} },
    }),
  ).finish();

test('a request that passes between a caller and a function with TLS is measured byte for byte as it was sent', async () => {
  const authority = await newAuthority('crossplane');
  const { address } = await running(['--tls-certs-dir', certificateFolder(await authority.issue('echo'), aFolder())]);
  const folder = aFolder();
  const recording = new Recording(folder);
  const asked: Buffer[] = [];
  const relay = await Relay.listening({
    to: address,
    tls: await authority.issue('relay'),
    answered(request, answered) {
      asked.push(request);
      recording.keep('echo', request, answered);
    },
  });
  onTestFinished(() => relay.stop());
  const client = clientOf(`127.0.0.1:${relay.port}`, { tls: await authority.issue('crossplane-client') });
  const { desired } = await client.run(anXr('one'));
  expect(desired.resources.get('echo')?.resource).toMatchObject({ data: { name: 'one' } });
  const [measured] = realRequests(folder);
  expect(measured).toMatchObject({ called: 'echo', subject: 'a Echo, 0 observed' });
  expect(Buffer.from(measured?.sent[0] ?? []).equals(asked[0] ?? Buffer.of())).toBe(true);
});

test('of settled calls the largest is kept, of others the one whose answer adds most', () => {
  const folder = aFolder();
  const recording = new Recording(folder);
  recording.keep('echo', bytesOf('small'), answer(TTL.settled));
  recording.keep('echo', bytesOf('large', { a: 'b'.repeat(100) }), answer(TTL.following));
  recording.keep('echo', bytesOf('smaller'), answer(TTL.settled));
  recording.keep('echo', bytesOf('adds little', { a: 'b'.repeat(100) }), answer(TTL.underWay, { a: 'b' }));
  recording.keep('echo', bytesOf('adds much'), answer(TTL.underWay, { a: 'b'.repeat(100) }));
  const kept = recordedIn(folder).map(({ state, bytes }) => [state, Buffer.from(bytes).toString('base64')]);
  expect(kept).toEqual([
    ['at work', bytesOf('adds much').toString('base64')],
    ['settled', bytesOf('large', { a: 'b'.repeat(100) }).toString('base64')],
  ]);
});

test('nobody else can read a request: it may hold keys', () => {
  const folder = aFolder();
  new Recording(folder).keep('echo', bytesOf('one'), answer(TTL.settled));
  const modes = ['echo', ...readdirSync(join(folder, 'echo')).map((file) => join('echo', file))].map(
    (path) => statSync(join(folder, path)).mode & 0o077,
  );
  expect(modes).toEqual([0, 0]);
});

test.for(['.', 'test/bench', '.cache-of-mine', join(import.meta.dirname, 'requests')])(
  'requests are not recorded to %s, where git would see them',
  (folder) => {
    expect(() => recordingFolder(folder)).toThrow(
      /^cannot record to ".*": requests may hold keys, and git would see them/,
    );
  },
);

test('a folder that is not empty is left as it is', () => {
  const folder = aFolder();
  writeFileSync(join(folder, 'notes'), '');
  expect(() => new Recording(folder)).toThrow(`cannot record to "${folder}": it is not empty`);
});

test('a folder without requests is said to have none, whether or not it exists', () => {
  for (const folder of [aFolder(), join(aFolder(), 'missing')])
    expect(() => realRequests(folder)).toThrow(`cannot read requests from "${folder}": it has none`);
});
