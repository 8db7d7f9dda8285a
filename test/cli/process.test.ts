/** slipway as a process: how it starts, what it reads and writes, and how it ends when nobody reads. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, slipway } from './slipway.ts';
import { folder } from './written.ts';

describe('slipway', () => {
  it('says which Node.js it needs to one that cannot run TypeScript', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import('./cli/slipway.js')`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', old], { cwd: ROOT, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr.split('\n')[0]).toBe('slipway: cannot run on Node.js 20.20.2: accepted: 22.19 and newer');
  });

  it('runs by its launcher', () => {
    const ran = spawnSync(process.execPath, ['cli/slipway.js', 'matrix', '-o', 'jsn'], { cwd: ROOT, encoding: 'utf8' });
    expect(ran.stderr).toContain(
      'slipway: cannot accept --output "jsn": accepted: table, markdown, json; did you mean "json"?\n',
    );
    expect(ran.status).toBe(2);
  });

  it('writes its result to a file that others cannot read', async () => {
    const path = join(folder, 'matrix.md');
    const { stdout } = await slipway('matrix', '-o', 'markdown');
    expect(await slipway('matrix', '-o', 'markdown', '--output-file', path)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(path, 'utf8')).toBe(stdout);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('reads claims from standard input, and ends quietly when nobody reads what it says', () => {
    const run = (command: string) => spawnSync('bash', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
    const node = `"${process.execPath}" cli/main.ts`;
    const lone = `sed '/^---/,$d' examples/aws/node-pools.yaml`;
    const piped = run(`${lone} | ${node} plan -f -`);
    expect(piped.stderr).toBe('');
    expect(piped.stdout).toContain('NodePool prod-general');
    const cut = run(`${node} matrix -o json | true; echo "\${PIPESTATUS[0]}"`);
    expect(cut.stderr).toBe('');
    expect(['0\n', '141\n']).toContain(cut.stdout);
  });

  const hasFull = existsSync('/dev/full');
  if (!hasFull) process.stdout.write('skipped: a full standard output: this machine has no /dev/full\n');
  it.skipIf(!hasFull)('says in one line that standard output is full', () => {
    const run = spawnSync('bash', ['-c', `"${process.execPath}" cli/main.ts matrix > /dev/full`], { cwd: ROOT });
    expect(run.stderr.toString()).toBe('slipway: cannot write standard output: the disk is full\n');
    expect(run.status).toBe(2);
  });
});
