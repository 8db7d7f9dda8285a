/** What `slipway describe` and `slipway plan` say of a Ready cluster on a real API, and `validate` of what a real kustomize makes. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../binaries/find.ts';
import type { Lab } from '../lab/lab.ts';
import { type Case, hold } from './case.ts';
import { TEAM } from './scene.ts';

export const liveCase: Case = {
  name: 'live',
  after: ['claim'],
  defaults: true,
  async run(lab) {
    const context = (await lab.kubectl('config', 'current-context')).trim();
    const slipway = (...args: readonly string[]) => ran(lab, [...args, '--context', context]);

    const tree = await slipway('describe', 'cluster', 'prod', '--namespace', TEAM);
    const lines = tree.stdout.split('\n');
    hold(
      'describe says that the Cluster is ready',
      /^Cluster prod +ready$/.test(lines[0] ?? ''),
      tree.stderr + tree.stdout,
    );
    const machines = lines.filter((line) => /Machine prod-control-plane-\S+ +ready$/.test(line));
    hold('its tree has the machines of the control plane', machines.length === 3, tree.stdout);
    hold('describe ends with 0 for what is ready', tree.code === 0, String(tree.code));

    const pool = await slipway('describe', 'nodepool', 'prod-general', '--namespace', TEAM, '-o', 'json');
    const { ready, composites } = JSON.parse(pool.stdout) as { ready: boolean; composites: readonly unknown[] };
    hold('describe of a pool has its machines', ready && composites.length === 4, pool.stdout);

    const edit = await slipway('plan', 'examples/aws/edits/label.yaml');
    hold('a label is planned for three machines', edit.stdout.includes('3 machines: changed at once'), edit.stdout);
    hold('plan ends with 10 for changes in place', edit.code === 10, `${edit.code}: ${edit.stderr}`);
    for (const flavour of ['aws', 'azure', 'existing', 'gcp']) {
      const claims = await lab.kubectl('kustomize', join(ROOT, 'examples/portable/overlays', flavour));
      const verdict = await ran(lab, ['validate', '-'], claims);
      hold(
        `what kustomize makes of the overlay ${flavour} is accepted`,
        verdict.code === 0,
        verdict.stdout + verdict.stderr,
      );
    }
    return 'describe, plan, kustomize';
  },
};

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** A process of its own: the cloud of the lab goes on meanwhile. */
function ran({ kubernetes }: Lab, args: readonly string[], input = ''): Promise<Ran> {
  const env = { ...process.env, KUBECONFIG: kubernetes.kubeconfig, NO_COLOR: '1' };
  return new Promise((resolve) => {
    const command = [join(ROOT, 'cli/main.ts'), ...args];
    const child = execFile(process.execPath, command, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: typeof error?.code === 'number' ? error.code : 0 }),
    );
    child.stdin?.end(input);
  });
}
