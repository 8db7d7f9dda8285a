/** A judge that hangs ends the test, and says what hung. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runCommand } from './run.ts';

test('returns what a command wrote, and whether it succeeded', () => {
  expect(runCommand('sh', ['-c', 'echo out; echo err >&2'])).toEqual({ ok: true, output: 'out\nerr' });
  expect(runCommand('sh', ['-c', 'exit 3']).ok).toBe(false);
});

test.skipIf(!existsSync('/proc/self/status'))(
  'kills a command that does not end, with all that it started, and says what was run',
  async () => {
    const script = 'sleep 600 & echo $!; wait';
    const { ok, output } = runCommand('sh', ['-c', script], { seconds: 1 });
    const [first, started = ''] = output.split('\n');
    expect(ok).toBe(false);
    expect(first).toBe(`killed after 1 s: sh -c ${script}`);
    for (let tries = 0; tries < 50 && isRunning(started); tries += 1) await sleep(100);
    expect(isRunning(started)).toBe(false);
  },
);

/** A process that was killed stays in the table until its parent asks. */
function isRunning(pid: string): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'));
}
