/** The script that installs a snap on a host, run by a shell with a fake snap command. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canonicalPlans } from '../canonical-kubernetes/canonical-kubernetes.fixture.ts';
import { microk8sPlans } from '../microk8s/microk8s.fixture.ts';
import { fileIn } from '../plans.fixture.ts';

const SNAPS = [
  { snap: 'microk8s', title: 'MicroK8s', plans: microk8sPlans },
  { snap: 'k8s', title: 'Canonical Kubernetes', plans: canonicalPlans },
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-snap-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param refresh what `snap refresh` does */
function ran(script: string, refresh: string): { status: number | null; stderr: string } {
  writeFileSync(join(folder, 'bin/snap'), `#!/bin/sh\ncase "$1" in\nlist) exit 1 ;;\nrefresh) ${refresh} ;;\nesac\n`);
  chmodSync(join(folder, 'bin/snap'), 0o755);
  const { status, stderr } = spawnSync('sh', ['-c', script.replaceAll('/var/lib/slipway', join(folder, 'done'))], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
  });
  return { status, stderr };
}

test.for(SNAPS)(
  '$title: a snapd that cannot hold updates ends the first boot and reports that',
  async ({ snap, title, plans }) => {
    const script = fileIn(await plans.planOf('init'), `/etc/slipway/${snap}-install.sh`) ?? '';
    expect(ran(script, 'echo "error: unknown flag \\`hold\'" >&2; exit 1')).toEqual({
      status: 1,
      stderr: `error: unknown flag \`hold'\nslipway: snapd cannot hold ${title}; it must be 2.58 or newer\n`,
    });
    expect(ran(script, ':')).toEqual({ status: 0, stderr: '' });
  },
);
