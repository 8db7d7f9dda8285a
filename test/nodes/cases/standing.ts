/** The pods of a cluster, each with what a loss or a restart changes. */
import type { Lab } from '../lab/lab.ts';

/** One text for each pod of the selector, or of the whole cluster. */
export async function pods(kubectl: Lab['kubectl'], selector?: string): Promise<readonly string[]> {
  const row =
    '{range .items[*]}{.metadata.name} {.metadata.uid} {.status.containerStatuses[*].restartCount}{"\\n"}{end}';
  const which = selector === undefined ? ['--all-namespaces'] : ['--namespace=default', `--selector=${selector}`];
  const rows = await kubectl('get', 'pods', ...which, `--output=jsonpath=${row}`);
  return rows
    .split('\n')
    .filter((line) => line !== '')
    .toSorted();
}
