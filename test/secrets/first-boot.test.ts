/**
 * `slipway payload` of every machine of the matrix, with all values that a claim can take from a Secret: no secret is
 * readable, in whatever is decoded of it.
 */
import { describe, expect, test } from 'vitest';
import { PAYLOAD_KEYS, type Payload } from '#lib/api/contracts/payload.ts';
import { isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { secretsOf } from '#lib/fn/masking/secrets.ts';
import { matrix } from '../../cli/matrix/matrix.ts';
import { decodePayload } from '../../cli/payload/decode.ts';
import { firstBootMask } from '../../cli/payload/mask.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { leastConfig } from '../../functions/bootstrap/least.fixture.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';
import { isManaged } from '../matrix/pairs.ts';
import { uninitialized } from '../matrix/rendered.ts';
import { anEksCluster } from '../support/eks.ts';
import { aBootstrappedCluster, type Bootstrapped, machineOf, machineRequest } from '../support/first-boot.ts';
import { aRequest, aWorld } from '../support/request.ts';
import { foundIn, secretsOf as searchedIn } from './findings.ts';

/** Short values, and characters that every format quotes in its own way. */
const VALUES: Readonly<Record<string, string>> = {
  file: `fake"file'1$%\n  second\\fake`,
  unit: '[Service]\nEnvironment="A=fake-unit%%1"\n',
  command: `echo 'fake"command$1' | tee /run/fake`,
  hash: '$6$fakesalt$fakehash/1',
  proxy: 'http://faker:fake%25proxy@proxy.example.com:3128',
  mirror: 'faker:fake-m1',
};

/** What of them must not be readable. */
const SOUGHT = [`fake"file'1`, 'second\\fake', 'fake-unit', 'fake"command$1', 'fakehash/1', 'fake%25proxy', 'fake-m1'];

const APP: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'app', namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
  data: Object.fromEntries(Object.entries(VALUES).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
};

const from = (key: string): JsonObject => ({ secret: { name: 'app', key } });

const PROVISIONING: JsonObject = {
  files: [{ path: '/var/lib/app', contentFrom: from('file') }],
  units: [{ name: 'app.service', contentsFrom: from('unit') }],
  commands: { preFrom: [from('command')] },
  users: [{ name: 'ops', passwordHashFrom: from('hash') }],
  proxy: { httpsFrom: from('proxy') },
  registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], credentialsFrom: from('mirror') }],
};

/** Fields that a format has, but not with a value like this. */
const REFUSED: Readonly<Record<string, readonly string[]>> = { 'cloudbase-init': ['users'], nodeadm: ['proxy'] };

interface Case {
  readonly provider: string;
  readonly format: string;
  readonly kind: 'init' | 'control-plane' | 'worker';
  readonly os: 'linux' | 'windows';
}

const CASES: readonly Case[] = matrix().rows.flatMap(({ provider, fits }) =>
  Object.entries(fits).flatMap(([format, fit]) => {
    if (fit === 'none') return [];
    const onlyWorkers = fit === 'workers' || isManaged({ name: '', provider, format });
    const kinds = onlyWorkers ? (['worker'] as const) : (['init', 'control-plane', 'worker'] as const);
    return kinds.map((kind): Case => ({ provider, format, kind, os: fit === 'workers' ? 'windows' : 'linux' }));
  }),
);

const clusters = new Map<string, Promise<Bootstrapped>>();

function clusterOf({ provider, format }: Case): Promise<Bootstrapped> {
  const config = leastConfig(provider);
  const made = isManaged({ name: '', provider, format })
    ? () => Promise.resolve(anEksCluster(provider, { config }))
    : () => aBootstrappedCluster({ spec: { bootstrap: { provider, config } } });
  const found = clusters.get(provider) ?? made();
  clusters.set(provider, found);
  return found;
}

/** First-boot data, and every Secret that went into it. */
async function madeOf(one: Case): Promise<{ payload: Payload; secrets: readonly KubeObject[] }> {
  const { provider, format, kind, os } = one;
  const cluster = await clusterOf(one);
  const refused = new Set([...Object.keys(PROVISIONERS[format]?.limits ?? {}), ...(REFUSED[format] ?? [])]);
  const said = Object.fromEntries(Object.entries(PROVISIONING).filter(([field]) => !refused.has(field)));
  const machine = machineOf(
    kind,
    { provisioning: { format, ...said }, ...(os === 'windows' ? { machine: { class: 'standard-4', os } } : {}) },
    leastConfig(provider),
    provider,
  );
  const asked = machineRequest(kind === 'init' ? uninitialized(cluster) : cluster, machine);
  const required = new Map([...asked.required, ['secret-app', [APP]] as const]);
  const planned = (await bootstrap({ ...asked, required }, aWorld())).build();
  const request = { ...aRequest({ composite: machine, context: planned.context }), required };
  const reply = (await provisioning(request, aWorld())).build();
  const payload = reply.context[CONTEXT.payload];
  expect(isJsonObject(payload), JSON.stringify([planned.conditions, reply.conditions])).toBe(true);
  return { payload: payload as unknown as Payload, secrets: [...required.values()].flat() };
}

describe.for(CASES)('$provider with $format: $kind', (one) => {
  test('is shown without secrets', async () => {
    const { payload, secrets } = await madeOf(one);
    const sought = [...secrets.filter(({ kind }) => kind === 'Secret').flatMap(searchedIn), ...SOUGHT];
    const bytes = Buffer.from(payload.value, 'base64');
    expect(foundIn(bytes.toString(), sought, true), 'it did look').not.toEqual([]);
    const mask = firstBootMask(secretsOf(secrets));
    for (const shown of [decodePayload(bytes, payload[PAYLOAD_KEYS.format], mask).text, mask(bytes.toString())])
      expect(foundIn(shown, sought, true)).toEqual([]);
  });
});
