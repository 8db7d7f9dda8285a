/** What a first boot leaves behind, whatever the bootstrapper. */
import { hold } from '../../e2e/cases/case.ts';
import type { Machine } from '../lab/machine.ts';

const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';

/** Throws unless cloud-init and the bootstrap script came to their ends. */
export async function isDone({ name, exec }: Machine): Promise<void> {
  const status = await exec('cloud-init', 'status', '--wait');
  hold(`${name}: cloud-init is done`, status.includes('status: done'), status.trim());
  await exec('test', '-e', SENTINEL);
}

/** Searches on the machine itself: logs of the first boot, of pods, and the journal. */
export async function isLogged({ exec }: Machine, secret: string): Promise<boolean> {
  const search =
    '{ cat /var/log/*.log /var/log/pods/*/*/*.log; journalctl --quiet --no-pager; } 2>/dev/null | grep -cF -e "$0"';
  const count = await exec('sh', '-c', `${search} || true`, secret);
  return count.trim() !== '0';
}
