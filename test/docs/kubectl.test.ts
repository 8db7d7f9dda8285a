/**
 * Pages name kinds with their group: other projects have a Cluster, a Machine and a NodePool of their own, and kubectl
 * takes one of them for the short name.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';
import { pages } from './pages.ts';

/** Of commands that name an object; `wait` and `get` take a list after commas. */
const COMMAND = /kubectl (?<words>(?:[^`\n|\\]|\\\n)*)/g;
const SHORT = /(?:^|[\s,])(?<kind>(?:cluster|nodepool|machine)s?)(?=[\s,/]|$)/i;

const shorts = (text: string): readonly string[] =>
  [...text.matchAll(COMMAND)].map(([command]) => command.split('#')[0] ?? '').filter((command) => SHORT.test(command));

test('a short name is found, and one with its group is not', () => {
  expect(shorts('run `kubectl -n team-a delete cluster prod` and')).toHaveLength(1);
  expect(shorts('kubectl get cluster.slipway.dev,machines --namespace team-a')).toHaveLength(1);
  expect(shorts('kubectl delete machine.slipway.dev prod-0 # the machine ends')).toHaveLength(0);
});

test('no page has a command with a short name of our kinds', () => {
  const found = pages().flatMap((page) =>
    shorts(readFileSync(join(ROOT, page), 'utf8')).map((command) => `${page}: ${command}`),
  );
  expect(found).toEqual([]);
});
