/**
 * Members of etcd: one disruptive step at a time, whatever causes it, and after each a majority is healthy, with a
 * joining machine counted as unhealthy. A machine is a member from the moment it became a node until it is gone.
 */
import { Broken } from './broken.ts';
import type { StepResult } from './crossplane.ts';
import { isAvailable, isDisrupted, shownOf } from './shown.ts';
import type { Life } from './machines.ts';

export function quorum(result: StepResult): void {
  const members = [...result.before].filter(([, { isNode }]) => isNode);
  if (members.length === 0) return;
  const shown = shownOf(result);
  const disrupted = (name: string): boolean => isDisrupted(shown.get(name) ?? { apiVersion: '', kind: '' });
  const removed = result.deleted.filter((name) => result.before.get(name)?.isNode === true);
  const updated = result.ordered
    .filter(({ name, disruptive }) => disruptive && !disrupted(name))
    .map(({ name }) => name);
  const steps = [
    ...removed.map((name) => `${name} is removed`),
    ...updated.map((name) => `${name} is updated`),
    ...result.created.map((name) => `${name} joins`),
  ];
  if (steps.length === 0) return;
  const own = new Set([...result.deleted, ...result.ordered.map(({ name }) => name)]);
  const underWay = [...result.before].flatMap(([name, life]) =>
    own.has(name) ? [] : inFlight(name, life, disrupted(name)),
  );
  if (steps.length + underWay.length > 1)
    throw new Broken(`etcd takes one step at a time: ${[...steps, ...underWay].join(', ')}`);
  majority(
    result,
    members.map(([name]) => name),
    new Set([...removed, ...updated]),
    removed.length,
  );
}

function inFlight(name: string, { isNode, going, lost, late }: Life, disrupted: boolean): readonly string[] {
  if (going !== undefined) return isNode ? [`${name} is on its way out`] : [];
  if (disrupted) return [`${name} is under way`];
  return isNode || lost || late ? [] : [`${name} is still to join`];
}

function majority(
  result: StepResult,
  members: readonly string[],
  disturbed: ReadonlySet<string>,
  removed: number,
): void {
  const shown = shownOf(result);
  const well = members.filter((name) => {
    const machine = shown.get(name);
    return machine !== undefined && isAvailable(machine) && !disturbed.has(name);
  }).length;
  const after = members.length - removed + result.created.length;
  const isSecond = members.length === 1 && result.created.length === 1;
  if (well < Math.floor(after / 2) + 1 && !isSecond && after > 0)
    throw new Broken(`etcd loses its majority: ${well} of ${after} members are well`);
  if (after === 0) throw new Broken('etcd loses its last member');
}
