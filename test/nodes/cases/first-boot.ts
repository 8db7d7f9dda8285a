/** cloud-init completed the first boot, and left no data with which another host could join or sign. */
import { hold } from '../../e2e/cases/case.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';

const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';
const CONFIG = '/etc/kubernetes/kubeadm.yaml';

export const firstBootCase: Case = {
  name: 'first boot',
  async run({ arrivals, claimed }) {
    const key = claimed.secret('ca', 'tls.key').toString().split('\n')[1] ?? '';
    for (const { machine } of arrivals) {
      await finished(machine);
      hold(`${machine.name}: its logs can be searched`, await isLogged(machine, machine.name));
      for (const [what, secret] of [
        ['its token', machine.joinToken.toString()],
        ['the key of the authority', key],
      ] as const)
        hold(`${machine.name}: ${what} is in no log`, !(await isLogged(machine, secret)));
      const keys = await machine.exec('find', '/etc/kubernetes/pki', '-name', '*.key', '-perm', '/077');
      hold(`${machine.name}: keys are root's alone`, keys === '', keys);
    }
    return `cloud-init done, sentinel written, token and keys kept on ${arrivals.length} machines`;
  },
};

async function finished({ name, exec }: Machine): Promise<void> {
  const status = await exec('cloud-init', 'status', '--wait');
  hold(`${name}: cloud-init is done`, status.includes('status: done'), status.trim());
  await exec('test', '-e', SENTINEL);
  const left = await exec('sh', '-c', `ls ${CONFIG} 2>/dev/null || true`);
  hold(`${name}: ${CONFIG}, which holds the token, is gone`, left === '', left);
  const enabled = await exec('systemctl', 'is-enabled', 'kubelet.service');
  hold(`${name}: kubelet comes back after a reboot`, enabled.trim() === 'enabled', enabled);
}

/** Searches on the machine itself: logs of the first boot, of pods, and the journal. */
async function isLogged({ exec }: Machine, secret: string): Promise<boolean> {
  const search =
    '{ cat /var/log/*.log /var/log/pods/*/*/*.log; journalctl --quiet --no-pager; } 2>/dev/null | grep -cF -e "$0"';
  const count = await exec('sh', '-c', `${search} || true`, secret);
  return count.trim() !== '0';
}
