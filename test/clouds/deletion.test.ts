/** A cluster that is deleted: nothing stays in its cloud, although its objects need each other. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { LABEL, NODE_API_VERSION, USAGE_API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { installedEngine } from '../support/example.ts';

const API: Readonly<Record<string, string>> = { Usage: USAGE_API_VERSION, WorkloadNode: NODE_API_VERSION };

test.for(['azure', 'gcp'])(
  'on %s everything that it had is deleted, in whatever order its objects allow',
  async (cloud) => {
    const engine = installedEngine();
    const claims = readObjects([join(ROOT, 'examples', cloud)]);
    for (const claim of claims) engine.apply(claim);
    const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
    expect(reached).toBe(true);

    const left = () => SIMULATED_CLOUDS.flatMap(({ kinds }) => kinds.flatMap((kind) => engine.list(kind)));
    expect(left().length).toBeGreaterThan(40);
    const soon = () => ({ limitSeconds: engine.seconds + 7200 });
    const remove = (wanted: string): void => {
      for (const { apiVersion, kind, metadata } of claims.filter((claim) => claim.kind === wanted))
        engine.delete({ apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
    };
    remove('NodePool');
    // A Cluster is in use until its last worker is drained.
    const workers = () =>
      ['Usage', 'WorkloadNode']
        .flatMap((kind) => engine.list({ apiVersion: API[kind] ?? '', kind }))
        .filter(({ metadata }) => metadata?.labels?.[LABEL.role] === 'worker');
    expect((await engine.runUntil(() => workers().length === 0, soon())).reached).toBe(true);
    remove('Cluster');
    const end = await engine.runUntil(() => left().length === 0, soon());
    expect(left().map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([]);
    expect(end.reached).toBe(true);
  },
);
