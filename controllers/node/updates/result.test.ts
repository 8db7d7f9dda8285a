import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { runOf } from './result.ts';

const SCRIPTS = [
  `#!/bin/sh
printf '%s' 'net.core.somaxconn = 4097
registry-password: hunter2-hunter2
' >/etc/some/file
TOKEN="correct horse battery"
echo 'slipway: cannot install packages here' >&2
`,
];

test.for([
  { words: 'Succeeded\nall is well\n', state: { state: 'Succeeded' } },
  { words: 'Failed sysctls 2\n', state: failed('exit code 2') },
  { words: 'Failed sysctls timeout\nstill waiting\n', state: failed('it took too long: still waiting') },
  { words: 'Failed runner the host has no systemd\n', state: failed('the host has no systemd', 'runner') },
  { words: '', state: failed('it left no result', 'runner') },
  {
    words: 'Failed sysctls 1\ncannot log in with hunter2-hunter2 or correct horse battery\n',
    state: failed('exit code 1: cannot log in with *** or ***'),
  },
  {
    words:
      'Failed sysctls 1\nslipway: cannot install packages here: /etc/some/file, v1.35.5, abcdefgh12345678abcdefgh\n',
    state: failed('exit code 1: slipway: cannot install packages here: /etc/some/file, v1.35.5, ***'),
  },
])('the last words $words', ({ words, state }) => {
  expect(runOf(pod({ state: { terminated: { exitCode: 0, message: words } } }), SCRIPTS)).toEqual({
    pod: 'a',
    ...state,
  });
});

test('nothing that was printed is repeated when nobody knows what the scripts contained', () => {
  const ended = pod({ state: { terminated: { exitCode: 0, message: 'Failed sysctls 1\nhunter2-hunter2' } } });
  expect(runOf(ended, undefined)).toMatchObject({ cause: 'exit code 1; what it printed is not repeated' });
});

test('a message repeats the end of what was printed, not all of it', () => {
  const message = `Failed sysctls 1\n${'so it is. '.repeat(200)}the end`;
  const run = runOf(pod({ state: { terminated: { exitCode: 0, message } } }), SCRIPTS);
  expect(run).toMatchObject({ state: 'Failed', cause: expect.stringMatching(/the end$/) as string });
  expect('cause' in run && run.cause.length).toBeLessThan(800);
});

test('a pod that cannot start says why, and one that failed is none: the unit on the host goes on', () => {
  const waiting = { reason: 'ErrImagePull', message: 'not found' };
  expect(runOf(pod({ state: { waiting } }), SCRIPTS)).toEqual({
    pod: 'a',
    state: 'Waiting',
    cause: 'Pod "slipway-system/a" does not start: ErrImagePull: not found',
  });
  expect(runOf(pod({ state: { waiting: { reason: 'ContainerCreating' } } }), SCRIPTS)).toMatchObject({
    state: 'Running',
  });
  expect(runOf(pod({}, 'Failed'), SCRIPTS)).toEqual({ state: 'None' });
  expect(runOf(undefined, SCRIPTS)).toEqual({ state: 'None' });
});

function failed(cause: string, updater = 'sysctls'): JsonObject {
  return { state: 'Failed', updater, cause };
}

function pod(status: JsonObject, phase = 'Running'): KubeObject {
  const metadata = { namespace: 'slipway-system', name: 'a' };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase, containerStatuses: [status] } };
}
