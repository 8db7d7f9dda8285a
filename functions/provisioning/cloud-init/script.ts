/**
 * The one script of a first boot. Every command is a shell of its own, so that a failing one – also in the middle
 * of a pipeline or before && – ends it. Order: instance variables, kernel settings, pre, bootstrap, secrets away,
 * post, sentinel.
 */
import type { Order } from '../provisioner.ts';

export const SCRIPT_PATH = '/etc/slipway/bootstrap.sh';

export function script({ plan, customisation }: Order): string {
  const { commands, sentinel, removeAfterBootstrap, files } = plan;
  const { sysctls, kernelModules, commands: claimed } = customisation;
  const withVariables = files.filter(({ instanceVariables }) => instanceVariables).map(({ path }) => path);
  const lines = [
    '#!/bin/sh',
    'set -eu',
    `[ ! -e ${quoted(sentinel)} ] || exit 0`,
    'run() {',
    '  if command -v bash >/dev/null; then bash -e -o pipefail -c "$1"; else sh -e -c "$1"; fi',
    '}',
    ...substitutions(withVariables),
    ...kernelModules.map((name) => `modprobe ${quoted(name)}`),
    ...(Object.keys(sysctls).length === 0 ? [] : ['sysctl --system >/dev/null']),
    ...[...claimed.pre, ...commands.pre, ...commands.bootstrap].map(command),
    ...removeAfterBootstrap.map((path) => `rm -f ${quoted(path)}`),
    ...[...commands.post, ...claimed.post].map(command),
    `mkdir -p ${quoted(sentinel.slice(0, sentinel.lastIndexOf('/')))}`,
    `: >${quoted(sentinel)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What only the machine knows: cloud-init asks the cloud's metadata service. */
function substitutions(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [
    'instance_id="$(cloud-init query instance_id)"',
    'failure_domain="$(cloud-init query availability_zone)"',
    ...paths.map(
      (path) =>
        `sed -i -e "s|\\\${instanceId}|$instance_id|g" -e "s|\\\${failureDomain}|$failure_domain|g" ${quoted(path)}`,
    ),
  ];
}

function command(text: string): string {
  return `run ${quoted(text)}`;
}

/** One word for the shell, whatever is in it. */
function quoted(text: string): string {
  return /^[A-Za-z0-9_/.:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
