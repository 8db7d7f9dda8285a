import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import {
  answer,
  aCluster,
  aMachine,
  anInfrastructure,
  anInput,
  aPayload,
  call,
  lived,
  noise,
  type Parts,
  seenIn,
  WORLD,
} from './machine.fixture.ts';

const overridden = (patch: object): KubeObject =>
  aMachine({ infrastructure: { overrides: [{ kind: 'Instance', patch: patch as never }] } });

const REFUSED: readonly { readonly name: string; readonly parts: Parts }[] = [
  { name: 'an unknown field', parts: { machine: aMachine({ imag: 'x' }) } },
  { name: 'both fields for a size', parts: { machine: aMachine({ machine: { class: 'a', instanceType: 'b' } }) } },
  {
    name: 'an image that is not mapped',
    parts: { machine: aMachine({ machine: { class: 'standard-4', image: 'debian' } }) },
  },
  { name: 'a class that nobody maps', parts: { machine: aMachine({ machine: { class: 'standrad-4' } }) } },
  { name: 'no image at all', parts: { input: anInput({ defaultImage: undefined }) } },
  {
    name: 'an image of another region',
    parts: { input: null, machine: aMachine({ machine: { class: 'm6i.xlarge', image: 'ubuntu-24.04' } }) },
  },
  { name: 'a failure domain the Cluster does not have', parts: { machine: aMachine({ failureDomain: 'eu-west-1z' }) } },
  {
    name: 'a Cluster without failure domains',
    parts: { clusters: [aCluster(anInfrastructure({ failureDomains: [] }))] },
  },
  { name: 'a Cluster on another cloud', parts: { clusters: [aCluster(anInfrastructure({ cloud: 'gcp' }))] } },
  { name: 'a Cluster that breaks the contract', parts: { clusters: [aCluster(anInfrastructure({ contract: 2 }))] } },
  { name: 'a typo in the input', parts: { input: anInput({ clases: {} }) } },
  { name: 'a wrong value in the input', parts: { input: anInput({ aws: { httpPutResponseHopLimit: 0 } }) } },
  {
    name: 'a payload that breaks the contract',
    parts: { context: { 'slipway.dev/payload': { contract: 1, format: '' } } },
  },
  { name: 'too much first-boot data', parts: { context: aPayload(noise(40_000)) } },
  { name: 'data that must stay plain', parts: { context: aPayload('x'.repeat(20_000), { gzip: false }) } },
  { name: 'an override of a name', parts: { machine: overridden({ metadata: { name: 'x' } }) } },
  { name: 'invalid data in its own status', parts: { machine: aMachine({}, { instanceID: 7 }) } },
];

const lines: string[] = [];
/** Records the line for the golden file; returns its code. */
const noted = (name: string, thrown: unknown): string => {
  const { code, message } = SlipwayError.from(thrown);
  lines.push(`# ${name}`, `${code}: ${message}`, '');
  return message.includes('\n') ? 'more than one line' : code;
};
const thrownBy = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

test.for(REFUSED)('$name is refused with one line', async ({ name, parts }) => {
  expect(noted(name, await thrownBy(call(parts)))).not.toBe('Internal');
});

test.for([
  {
    name: 'an Instance with invalid data in its status',
    key: 'instance',
    change: { status: { atProvider: { id: ['i-1'] } } },
  },
  { name: 'a WorkloadNode with invalid data in its status', key: 'node', change: { status: { nodeRef: 'x' } } },
  { name: 'a payload Secret without its value', key: 'payload', change: { data: { format: 'eA==' } } },
  { name: 'a payload Secret without its format', key: 'payload', change: { data: { value: 'eA==' } } },
  { name: 'a payload Secret that is gone', key: 'payload', change: undefined },
])('$name is refused with one line', async ({ name, key, change }) => {
  const request = await lived(WORLD.joined);
  const seen = request.observed.resources.get(key)?.resource ?? seenIn({})(aMachine());
  const others = [...request.observed.resources].filter(([other]) => other !== key);
  const own =
    change === undefined
      ? []
      : [[key, { resource: { ...seen, ...change } as KubeObject, connectionDetails: {} }] as const];
  const thrown = await thrownBy(
    answer({ ...request, observed: { ...request.observed, resources: new Map([...others, ...own]) } }),
  );
  expect(['InvalidObserved', 'UnreadableSecret']).toContain(noted(name, thrown));
});

test('the messages match the golden file', async () => {
  await expect(lines.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
});

test.for([
  {
    name: 'another cluster',
    spec: { clusterRef: { name: 'other' } },
    want: 'spec.clusterRef.name: "other" is not accepted; accepted: prod, since a node cannot move to another cluster',
  },
  {
    name: 'another role',
    spec: { role: 'control-plane' },
    want: 'spec.role: "control-plane" is not accepted; accepted: worker, since the role of a node cannot change',
  },
])(
  '$name is refused for a machine that has first-boot data, because it may be older than the rule of the API server',
  async ({ spec, want }) => {
    const request = await lived(WORLD.joined);
    const { composite } = request.observed;
    const moved = { ...composite, spec: { ...composite.spec, ...spec } };
    const outcome = await thrownBy(answer({ ...request, observed: { ...request.observed, composite: moved } }));
    expect(SlipwayError.from(outcome).message).toBe(`cannot accept Machine "team-a/prod-general-0-x7k2p": ${want}`);
  },
);
