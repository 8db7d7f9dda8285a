/**
 * The one script of a first boot. Order: values only the machine knows, kernel settings, units, the claim's pre
 * commands, the plan's commands, join secrets away, post commands, sentinel. The sentinel comes last: it says
 * that everything succeeded. Every command is a shell of its own, so that a failing one – also in the middle of a
 * pipeline – ends the script.
 */
import type { PlanFile, PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Order } from '../provisioner.ts';

export const SCRIPT_PATH = '/etc/slipway/bootstrap.sh';
export const SYSCTL_FILE = '/etc/sysctl.d/90-slipway.conf';
export const MODULES_FILE = '/etc/modules-load.d/90-slipway.conf';

/** What cloud-init calls the two values every cloud tells its machines. */
const VARIABLES = { instanceId: 'v1.instance_id', failureDomain: 'v1.availability_zone' } as const;

const PROLOGUE = `#!/bin/sh
set -eu
export HOME="\${HOME:-/root}"

run() {
  if command -v bash >/dev/null; then bash -e -o pipefail -c "$2"; else sh -e -c "$2"; fi || {
    status=$?
    echo "slipway: $1 failed with exit code $status" >&2
    exit "$status"
  }
}
`;

const QUERY = `
query() {
  value="$(cloud-init query "$1")"
  case "$value" in
  '' | None | *[!A-Za-z0-9._:/-]*)
    echo "slipway: cloud-init query $1: no usable value" >&2
    exit 1
    ;;
  esac
  printf '%s' "$value"
}
`;

export function script({ plan, customisation }: Order): string {
  const { commands, sentinel, removeAfterBootstrap, files, units, provider } = plan;
  const { sysctls, kernelModules, commands: claimed } = customisation;
  const lines = [
    `[ ! -e ${quoted(sentinel)} ] || exit 0`,
    ...substitutions(files),
    ...kernelModules.map((name, index) => step(`kernelModules[${index}]`, `modprobe ${quoted(name)}`)),
    ...(Object.keys(sysctls).length === 0 ? [] : [step('sysctls', `sysctl -q -p ${SYSCTL_FILE}`)]),
    ...enabling(units, provider),
    ...steps('commands.pre', claimed.pre),
    ...steps(`${provider} pre`, commands.pre),
    ...steps(`${provider} bootstrap`, commands.bootstrap),
    ...removeAfterBootstrap.map((path) => `rm -f ${quoted(path)}`),
    ...steps(`${provider} post`, commands.post),
    ...steps('commands.post', claimed.post),
    `mkdir -p ${quoted(sentinel.slice(0, sentinel.lastIndexOf('/')))}`,
    `: >${quoted(sentinel)}`,
  ];
  return `${PROLOGUE}\n${lines.join('\n')}\n`;
}

/** Values that hold something else than an id or a zone would be no values, and could be shell. */
function substitutions(files: readonly PlanFile[]): readonly string[] {
  const asked = files.filter(({ instanceVariables }) => instanceVariables);
  const used = (Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]).filter((name) =>
    asked.some(({ content }) => Buffer.from(content, 'base64').includes(`\${${name}}`)),
  );
  if (used.length === 0) return [];
  const expressions = used.map((name) => `-e "s|\\\${${name}}|$${name}|g"`).join(' ');
  return [
    QUERY,
    ...used.map((name) => `${name}="$(query ${VARIABLES[name]})"`),
    `sed -i ${expressions} ${asked.map(({ path }) => quoted(path)).join(' ')}`,
  ];
}

function enabling(units: readonly PlanUnit[], provider: string): readonly string[] {
  if (units.length === 0) return [];
  const enabled = units.filter((unit) => unit.enabled).map(({ name }) => `systemctl enable --now ${quoted(name)}`);
  return steps(`${provider} units`, ['systemctl daemon-reload', ...enabled]);
}

function steps(name: string, commands: readonly string[]): readonly string[] {
  return commands.map((command, index) => step(`${name}[${index}]`, command));
}

/** Named by its place, not by what it says: a command may hold a secret, and this is printed. */
function step(name: string, command: string): string {
  return `run ${quoted(name)} ${quoted(command)}`;
}

/** One word for the shell, whatever is in it. */
function quoted(text: string): string {
  return /^[A-Za-z0-9_/.:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
