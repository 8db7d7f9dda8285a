/**
 * Each input is refused before anything is created, with one line, and everybody agrees: the rules of the API server or,
 * where a schema cannot say it, the function; `slipway validate`; and `slipway plan`.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { at, type JsonObject } from '#lib/api/json.ts';
import { UNREACHABLE } from '#lib/cloud/api-clients.ts';
import { applyOnce } from '#simulator/render/apply-once.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { definitionOf, type PlanWorld } from '../../cli/plan/world.ts';
import { judge, lineOf } from '../../cli/validate/findings.ts';
import { run as cluster } from '../../functions/cluster/fn.ts';
import { run as nodepool } from '../../functions/nodepool/fn.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { inProcess } from '../support/in-process.ts';
import { aRequest, aWorld } from '../support/request.ts';
import { type Input, INPUTS } from './inputs.ts';

const SELECTOR = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } };
const GOOD: Readonly<Record<Input['kind'], JsonObject>> = {
  Cluster: { version: 'v1.35.4', region: 'eu-west', controlPlane: { machine: { class: 'standard-2' } } },
  NodePool: { clusterRef: { name: 'prod' }, machine: { class: 'standard-2' } },
};
const claim = ({ kind, spec, called }: Omit<Input, 'name'>): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name: called ?? (kind === 'Cluster' ? 'prod' : 'general'), namespace: 'team-a' },
  spec: { crossplane: SELECTOR, ...GOOD[kind], ...spec },
});

const PARENT = claim({ kind: 'Cluster', spec: {} });
const world: PlanWorld = {
  objects: [],
  definitions: definitions(),
  compositions: compositions(),
  functions: inProcess,
  now: new Date(0),
};
const family = (input: Input): readonly KubeObject[] =>
  input.kind === 'Cluster' ? [claim(input)] : [PARENT, claim(input)];

const isRefusedByApi = (object: KubeObject): boolean =>
  'refused' in applyOnce(object, undefined, definitionOf(world, object));

/** The steps of its Composition until one refuses it, as they would see it had the API server no rules. */
async function isRefusedByFunctions(object: KubeObject): Promise<boolean> {
  const composition = world.compositions.find(
    (one) =>
      at(one, 'spec', 'compositeTypeRef', 'kind') === object.kind &&
      one.metadata?.labels?.['slipway.dev/flavor'] === 'aws',
  );
  const steps = at(composition, 'spec', 'pipeline') as readonly JsonObject[];
  const required = { 'environment-config': [], cluster: [PARENT], machines: [], 'overrides-nowhere': [] };
  for (const [index, step] of (object.kind === 'Cluster' ? [cluster, bootstrap] : [nodepool]).entries()) {
    const input = at(steps[index], 'input') as JsonObject;
    try {
      (await step(aRequest({ composite: object, input, required }), aWorld())).build();
    } catch {
      return true;
    }
  }
  return false;
}

const lines: string[] = [];

test.for(INPUTS)('$kind: $name', async (input) => {
  const object = claim(input);
  const verdict = await judge(world, family(input));
  const found = verdict.refused.filter(({ kind }) => kind === input.kind);
  expect(found.map(lineOf), 'slipway validate').not.toEqual([]);
  const entries = await planClaims(world, family(input));
  const planned = entries.filter(({ decision, kind }) => decision === 'Refused' && kind === input.kind);
  expect(
    planned.map(({ field, reason }) => `${field}: ${reason}`),
    'slipway plan',
  ).toEqual(found.map(({ field, reason }) => `${field}: ${reason}`));
  const byApi = isRefusedByApi(object);
  const byFunctions = await isRefusedByFunctions(object);
  expect([byApi, byFunctions], 'the API server, the functions').toContain(true);
  // What only admission can tell apart: a claim of the role that a Cluster gives to its own pool.
  expect(byFunctions, 'the functions').toBe(input.name !== 'the role of a control plane');
  const [first] = found;
  if (first === undefined) return;
  const line = lineOf(first);
  expect(line).not.toContain('\n');
  expect(line).not.toMatch(/hunter2|ZmFrZQ/);
  lines.push(`${input.kind}: ${input.name}\n  ${byApi ? 'API and functions' : 'functions'}: ${line}`);
});

test('the claims that they are in are right otherwise', async () => {
  const verdict = await judge(world, [PARENT, claim({ kind: 'NodePool', spec: {} })]);
  expect(verdict).toEqual({ claims: 2, others: 0, refused: [], notes: [`Cluster "team-a/prod": ${UNREACHABLE}`] });
  for (const kind of ['Cluster', 'NodePool'] as const)
    expect(await isRefusedByFunctions(claim({ kind, spec: {} }))).toBe(false);
});

test('every line is in the golden file, and is one that was read', async () => {
  expect(lines).toHaveLength(INPUTS.length);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refused.txt'));
});
