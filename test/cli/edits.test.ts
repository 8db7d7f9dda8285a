/**
 * Every edit of every example: what `slipway plan` announces, and what a simulation of the edit does, for each machine.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { type Engine } from '#simulator/engine.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions, ROOT } from '../../cli/files/repository.ts';
import type { PlanEntry } from '../../cli/plan/entry.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { printed } from '../../cli/plan/print.ts';
import { inProcess } from '../support/in-process.ts';
import { observedObjects } from '../../cli/simulate/save.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { installedEngine } from '../support/example.ts';

let engine: Engine;

/** What happened to each machine, by name. */
type Fate = 'patched' | 'updated' | 'replaced' | 'created' | 'removed';
type Outcome = Readonly<Record<string, Fate>>;

interface Effect {
  readonly does: Readonly<Record<string, string>>;
  readonly by?: readonly string[];
}

const EDITS = [
  { edit: 'add-on', does: {} },
  { edit: 'label', does: { 'prod-general': 'patched 3' } },
  { edit: 'scale-up', does: { 'prod-general': 'created 1' } },
  { edit: 'image', does: { 'prod-general': 'replaced 3' } },
  // An override of what a provider only takes on creation.
  { edit: 'override', does: { 'prod-general': 'replaced 3' } },
  { edit: 'instance-type', does: { 'prod-memory': 'updated 2' }, by: ['resize'] },
  { edit: 'taint', does: { 'prod-memory': 'updated 2' }, by: ['taints'] },
  { edit: 'sysctl', does: { 'prod-memory': 'updated 2' }, by: ['node-configuration'] },
  {
    edit: 'version',
    // One machine of prod-general is replaced, so it is the temporary replacement for the others: none may be
    // unavailable there.
    does: { 'prod-control-plane': 'replaced 3', 'prod-general': 'replaced 1, updated 2', 'prod-memory': 'updated 2' },
    by: ['kubernetes'],
  },
] as const;

/** Edits that not every example has: nothing of a host can be overridden. */
const ONLY: Readonly<Record<string, readonly string[]>> = { 'add-on': ['aws'], override: ['aws', 'azure', 'gcp'] };

/** What an edit does on this cloud alone, and by which updaters. */
const DIFFERENT: Readonly<Record<string, Readonly<Record<string, Effect>>>> = {
  // A host has the size that it has.
  existing: { 'instance-type': { does: { 'prod-memory': 'replaced 2' } } },
};

describe.for(['aws', 'azure', 'existing', 'gcp'])('an edit of examples/%s', (cloud) => {
  const EXAMPLE = join(ROOT, 'examples', cloud);
  const edits = EDITS.filter(({ edit }) => ONLY[edit]?.includes(cloud) !== false);

  beforeAll(async () => {
    engine = installedEngine();
    await become(readObjects([EXAMPLE]));
  });

  it('is tested here, for every edit', () => {
    const files = readdirSync(join(EXAMPLE, 'edits')).map((name) => name.replace(/\.yaml$/, ''));
    expect(files.toSorted()).toEqual([...edits.map(({ edit }) => edit), 'pod-cidr'].toSorted());
  });

  test.for(edits)('does what the plan announced: $edit', async ({ edit, ...usual }) => {
    const { does, by = [] }: Effect = DIFFERENT[cloud]?.[edit] ?? usual;
    await become(readObjects([EXAMPLE]));
    const claims = readObjects([join(EXAMPLE, `edits/${edit}.yaml`)]);
    const entries = await planned(claims);
    const before = machines();
    await become(claims);
    const happened = outcomeOf(before, machines());
    expect(predictedBy(entries)).toEqual(happened);
    expect(counted(happened)).toEqual(does);
    expect([...new Set(entries.flatMap(({ updaters = [] }) => updaters))]).toEqual(by);
    expect(await planned(claims)).toEqual([]);
  });

  test.runIf(ONLY['override']?.includes(cloud))('shows the override that needs new machines', async () => {
    await become(readObjects([EXAMPLE]));
    const entries = await planned(readObjects([join(EXAMPLE, 'edits/override.yaml')]));
    const text = printed(entries, 'table', (_tone, word) => word);
    await expect(withoutEndings(text)).toMatchFileSnapshot(`golden/plan-override-${cloud}.txt`);
  });

  it('does nothing, as announced, when replicas is taken out of a claim; the size stays for later plans', async () => {
    await become(readObjects([EXAMPLE]));
    const claims = readObjects([EXAMPLE]).map((claim) => {
      const { replicas: _taken, ...spec } = claim.spec ?? {};
      return claim.kind === 'NodePool' ? { ...claim, spec } : claim;
    });
    expect(await planned(claims)).toEqual([]);
    const before = machines();
    await become(claims);
    expect(outcomeOf(before, machines())).toEqual({});
    expect(await planned(claims)).toEqual([]);
  });

  it('is refused if it is not possible: pod-cidr', async () => {
    const claims = readObjects([join(EXAMPLE, 'edits/pod-cidr.yaml')]);
    const entries = await planned(claims);
    expect(entries.map(({ decision, field }) => `${decision} ${field}`)).toEqual(['Refused spec.network.pods']);
    expect(() => claims.map((claim) => engine.apply(claim))).toThrow(
      'cannot accept Cluster "team-a/prod": spec.network.pods: "10.128.0.0/14" cannot be changed: every node was created with the present value',
    );
  });
});

/** Names of machines end in what they are made from: earlier edits of this file count. */
const withoutEndings = (text: string): string => text.replaceAll(/(prod-general-\d+)-[a-z0-9]{5}/g, '$1-xxxxx');

/** Applies claims and waits until everything is settled, including changes that a Cluster makes later. */
async function become(claims: readonly KubeObject[]): Promise<void> {
  for (const claim of claims) engine.apply(claim);
  let since = engine.seconds;
  const { reached } = await engine.runUntil(
    () => {
      if (!allReady(engine)) since = engine.seconds;
      return engine.seconds - since > 150;
    },
    { limitSeconds: engine.seconds + 7200 },
  );
  if (!reached) throw new Error('the simulation does not settle');
}

function planned(claims: readonly KubeObject[]): Promise<readonly PlanEntry[]> {
  const world = {
    objects: observedObjects(engine),
    definitions: definitions(),
    compositions: compositions(),
    functions: inProcess,
    now: engine.now,
  };
  return planClaims(world, claims);
}

function machines(): ReadonlyMap<string, KubeObject> {
  return new Map(
    engine.list({ apiVersion: API_VERSION, kind: 'Machine' }).map((one) => [one.metadata?.name ?? '', one]),
  );
}

/** The name of a replacement comes from the engine, so it counts as the machine that it replaces. */
function outcomeOf(before: ReadonlyMap<string, KubeObject>, after: ReadonlyMap<string, KubeObject>): Outcome {
  const gone = [...before].filter(([name]) => !after.has(name));
  const made = [...after].filter(([name]) => !before.has(name));
  const slot = (machine: KubeObject): string =>
    `${poolOf(machine)} ${machine.metadata?.labels?.['slipway.dev/slot'] ?? ''}`;
  const replaced = gone.filter(([, old]) => made.some(([, one]) => slot(one) === slot(old)));
  const created = made.filter(([, one]) => !gone.some(([, old]) => slot(one) === slot(old)));
  return Object.fromEntries([
    ...replaced.map(([name]) => [name, 'replaced'] as const),
    ...gone.filter((one) => !replaced.includes(one)).map(([name]) => [name, 'removed'] as const),
    ...created.map(([name]) => [name, 'created'] as const),
    ...[...before].flatMap(([name, old]) => {
      const now = after.get(name);
      if (now === undefined || sameJson(old.spec, now.spec)) return [];
      const order = (machine: KubeObject): string | undefined => stringAt(machine, 'spec', 'update', 'id');
      return [[name, order(old) === order(now) ? 'patched' : 'updated'] as const];
    }),
  ]);
}

function predictedBy(entries: readonly PlanEntry[]): Outcome {
  const lines = Map.groupBy(
    entries.filter(({ kind, decision }) => kind === 'Machine' && decision !== 'Ignore'),
    ({ name }) => name,
  );
  const succeeded = new Set(entries.flatMap(({ succeeds }) => succeeds ?? []));
  return Object.fromEntries(
    [...lines].flatMap(([name, own]): readonly (readonly [string, Fate])[] => {
      const decisions = new Set(own.map(({ decision }) => decision));
      if (own.some(({ succeeds }) => succeeds !== undefined)) return [];
      if (decisions.has('Recreate') || succeeded.has(name)) return [[name, 'replaced']];
      if (decisions.has('Drop')) return [[name, 'removed']];
      if (decisions.has('Create')) return [[name, 'created']];
      return [[name, decisions.has('Update') ? 'updated' : 'patched']];
    }),
  );
}

function counted(outcome: Outcome): Readonly<Record<string, string>> {
  const pools = Map.groupBy(Object.entries(outcome), ([name]) => name.replace(/-[0-9]+-[a-z0-9]+$/, ''));
  const words = (all: readonly (readonly [string, string])[]): string => {
    const kinds = Map.groupBy(all, ([, what]) => what);
    return [...kinds]
      .map(([what, ones]) => `${what} ${ones.length}`)
      .toSorted()
      .join(', ');
  };
  return Object.fromEntries([...pools].map(([pool, all]) => [pool, words(all)]));
}

function poolOf(machine: KubeObject): string {
  return machine.metadata?.labels?.['slipway.dev/nodepool'] ?? '';
}
