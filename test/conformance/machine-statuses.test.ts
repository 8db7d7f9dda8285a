/** Each status of a Machine is a write, a reconcile of it, and a reconcile of its pool: only news is a new status. */
import { expect, test } from 'vitest';
import { at, stringAt } from '#lib/api/json.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { exampleEngine } from '../support/example.ts';

test('a machine tells where it is in five statuses until it is Ready', async () => {
  const engine = exampleEngine();
  const told = new Map<string, string[]>();
  const { reached } = await engine.runUntil(
    () => {
      const machines = engine.snapshot().composites.filter(({ kind }) => kind === 'Machine');
      for (const ref of machines) {
        const statuses = told.get(ref.name) ?? [];
        const status = statusOf(engine.get(ref));
        if (status !== undefined && statuses.at(-1) !== status) told.set(ref.name, [...statuses, status]);
      }
      return allReady(engine);
    },
    { limitSeconds: 3600 },
  );
  expect(reached).toBe(true);
  expect([...told].find(([name]) => name.includes('general'))?.[1]).toEqual([
    'Pending, first-boot data is not in Secrets Manager yet, waiting for Node to register, Creating',
    'Provisioning, the machine is not created yet, waiting for Node to register, Creating',
    'Provisioned, Ready, waiting for Node to register, Unready resources: node',
    'Running, Ready, Node is not ready, Unready resources: node',
    'Running, Ready, NodeHealthy, Available',
  ]);
});

/** Without what Crossplane itself adds, and without times. */
function statusOf(machine: unknown): string | undefined {
  const conditions = at(machine, 'status', 'conditions');
  const told = ['InfrastructureReady', 'NodeHealthy', 'Ready'].map((type) => {
    const found: unknown = Array.isArray(conditions) ? conditions.find((one) => stringAt(one, 'type') === type) : {};
    return (stringAt(found, 'message') ?? stringAt(found, 'reason') ?? '').replace(/Node "[^"]*"/, 'Node');
  });
  const phase = stringAt(machine, 'status', 'phase');
  return phase === undefined ? undefined : [phase, ...told].join(', ');
}
