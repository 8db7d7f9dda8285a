/** cloud-init completed the first boot, and left no data with which another host could join or sign. */
import { hold } from '../../e2e/cases/case.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';
import { isDone, isLogged } from './logs.ts';

const CONFIG = '/etc/kubernetes/kubeadm.yaml';

export const firstBootCase: Case = {
  name: 'first boot',
  async run({ arrivals, claimed }) {
    const key = claimed.secret('ca', 'tls.key').toString().split('\n')[1] ?? '';
    for (const { machine } of arrivals) {
      await isDone(machine);
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
  const left = await exec('sh', '-c', `ls ${CONFIG} 2>/dev/null || true`);
  hold(`${name}: ${CONFIG}, which holds the token, is gone`, left === '', left);
  const enabled = await exec('systemctl', 'is-enabled', 'kubelet.service');
  hold(`${name}: kubelet comes back after a reboot`, enabled.trim() === 'enabled', enabled);
}
