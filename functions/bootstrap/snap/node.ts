/** Parts of the script that makes a host with a snap a node. */
import { quoted } from '#lib/fn/quoted.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import type { MachineFacts } from '../machine-facts.ts';
import { SNAP_PATH } from './install.ts';

/**
 * The beginning of such a script, which defines the function await.
 * @param snap its name, for the hint in error messages
 */
export function scriptHead(snap: string, { machine }: MachineFacts): string {
  const does = machine.spec.bootstrap.action === 'Init' ? 'Starts the cluster' : 'Joins the cluster';
  return `#!/bin/sh
# ${does}, and waits until the machine is a node.
set -eu
${SNAP_PATH}

# Waits up to five minutes until a command succeeds. $1: what it waits for; the rest: the command.
await() {
  what="$1"
  shift
  tries=60
  until "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    if [ "$tries" -le 0 ]; then
      echo "slipway: still waiting for $what; snap logs ${snap} says why" >&2
      exit 1
    fi
    sleep 5
  done
}
`;
}

/** Sets labels with the credentials of the kubelet: workers have no others. */
export function registered(kubectl: string, kubeconfig: string, { machine, owner }: MachineFacts): string {
  const labels = kubeletLabels(machine, owner).map(quoted).join(' ');
  const node = quoted(machine.metadata.name);
  return `node() {
  ${kubectl} "--kubeconfig=${kubeconfig}" "$@"
}
await 'the Node of this machine' node get node ${node}
${labels === '' ? '' : `node label node ${node} --overwrite ${labels}\n`}`;
}
