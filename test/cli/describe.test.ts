/** slipway describe shows a tree of what there is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, slipway } from './slipway.ts';
import { file } from './written.ts';

describe('slipway describe', () => {
  it('shows the worker pools of a Cluster below it, and no pool of another Cluster', async () => {
    const other = file(
      'other-claims.yaml',
      ['cluster', 'node-pools']
        .map((name) => readFileSync(join(ROOT, `examples/aws/${name}.yaml`), 'utf8').replaceAll(/\bprod\b/g, 'shop'))
        .join('---\n'),
    );
    const { stdout, code } = await slipway('describe', 'cluster', 'prod', 'examples/aws', other, '--for', '2m');
    expect(stdout).toMatch(/├─ NodePool prod-general .*\n(.*\n)*└─ NodePool prod-memory /);
    expect(stdout).not.toContain('shop');
    expect(code).toBe(3);
  });

  it('shows one object and the objects below it, with conditions when the user asks for them', async () => {
    const { code, stdout } = await slipway('describe', 'nodepool', 'prod-general', 'examples/aws', '--show-conditions');
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot('golden/describe-nodepool.txt');
  });
});
