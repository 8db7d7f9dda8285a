/** The pods of a cluster, each with what a loss or a restart changes. */
import type { Lab } from '../lab/lab.ts';

/** Name, uid and restarts of each pod of the selector. */
export const pods = async (kubectl: Lab['kubectl'], selector: string): Promise<readonly string[]> =>
  rowsOf(kubectl, ` {.status.containerStatuses[*].restartCount}`, '--namespace=default', `--selector=${selector}`);

/** Name and uid of each pod: on a busy machine a control plane loses its lease, and restarts by itself. */
export const everyPod = async (kubectl: Lab['kubectl']): Promise<readonly string[]> =>
  rowsOf(kubectl, '', '--all-namespaces');

async function rowsOf(kubectl: Lab['kubectl'], more: string, ...which: readonly string[]): Promise<readonly string[]> {
  const row = `{range .items[*]}{.metadata.name} {.metadata.uid}${more}{"\\n"}{end}`;
  const rows = await kubectl('get', 'pods', ...which, `--output=jsonpath=${row}`);
  return rows
    .split('\n')
    .filter((line) => line !== '')
    .toSorted();
}
