/**
 * The one script of a first boot, whatever starts it. Order: values only the machine knows, kernel settings, what
 * a provisioner adds, units, the claim's pre commands, the plan's commands, join secrets away, post commands, what a provisioner forgets, sentinel. The sentinel comes last:
 * it says that everything succeeded. Every command is a shell of its own, so that a failing one – also in the middle
 * of a pipeline – ends the script.
 */
import type { PlanFile, PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import { MACHINE_VALUES, type MetadataValue } from '#lib/api/contracts/metadata-service.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { SYSCTL_FILE } from './kernel.ts';
import type { Order } from './provisioner.ts';

export const SCRIPT_PATH = '/etc/slipway/bootstrap.sh';

/** How a machine learns the values its cloud tells it. */
export interface Lookup {
  /** Shell commands that print one value each. */
  readonly commands: Readonly<Record<MetadataValue, string>>;
  /** Shell functions those commands are made of. */
  readonly functions?: string;
}

/** What a provisioner has no words for, so that the script does it; named by its field. */
export interface Step {
  readonly field: string;
  readonly command: string;
}

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
  value="$("$@")" || value=
  case "$value" in
  '' | None | *[!A-Za-z0-9._:/-]*)
    echo "slipway: $*: no usable value" >&2
    exit 1
    ;;
  esac
  printf '%s' "$value"
}
`;

/**
 * @param settings  what is done after kernel settings, before any unit or command
 * @param lastly  what is done once the host is a node and the claim's commands ran
 */
export function script(
  { plan, customisation }: Order<'scripted'>,
  lookup: Lookup,
  settings: readonly Step[] = [],
  lastly: readonly Step[] = [],
): string {
  const { commands, sentinel, removeAfterBootstrap, files, units, provider } = plan;
  const { sysctls, kernelModules, proxy, commands: claimed } = customisation;
  const lines = [
    `[ ! -e ${quoted(sentinel)} ] || exit 0`,
    ...(proxy === undefined ? [] : proxyVariables(proxy, plan.noProxy ?? [])).map(
      ([name, value]) => `export ${name}=${quoted(value)}`,
    ),
    ...substitutions(files, lookup),
    ...kernelModules.map((name, index) => step(`kernelModules[${index}]`, `modprobe ${quoted(name)}`)),
    ...(Object.keys(sysctls).length === 0 ? [] : [step('sysctls', `sysctl -q -p ${SYSCTL_FILE}`)]),
    ...settings.map(({ field, command }) => step(field, command)),
    ...enabling('units', customisation.units),
    ...enabling(`${provider} units`, units),
    ...steps('commands.pre', claimed.pre),
    ...steps(`${provider} pre`, commands.pre),
    ...steps(`${provider} bootstrap`, commands.bootstrap),
    ...removeAfterBootstrap.map((path) => `rm -f ${quoted(path)}`),
    ...steps(`${provider} post`, commands.post),
    ...steps('commands.post', claimed.post),
    ...lastly.map(({ field, command }) => step(field, command)),
    `mkdir -p ${quoted(sentinel.slice(0, sentinel.lastIndexOf('/')))}`,
    `: >${quoted(sentinel)}`,
  ];
  return `${PROLOGUE}\n${lines.join('\n')}\n`;
}

/** Values that hold something else than an id or a zone would be no values, and could be shell. */
function substitutions(files: readonly PlanFile[], { commands, functions = '' }: Lookup): readonly string[] {
  const asked = files.filter(({ instanceVariables }) => instanceVariables);
  const used = MACHINE_VALUES.filter((name) =>
    asked.some(({ content }) => Buffer.from(content, 'base64').includes(`\${${name}}`)),
  );
  if (used.length === 0) return [];
  const expressions = used.map((name) => `-e "s|\\\${${name}}|$${name}|g"`).join(' ');
  return [
    `${functions}${QUERY}`,
    ...used.map((name) => `${name}="$(query ${commands[name]})"`),
    `sed -i ${expressions} ${asked.map(({ path }) => quoted(path)).join(' ')}`,
  ];
}

type Enabled = Pick<PlanUnit, 'name' | 'enabled'> & { readonly dropIns?: readonly unknown[] };

function enabling(name: string, units: readonly Enabled[]): readonly string[] {
  if (units.length === 0) return [];
  const each = units.flatMap((unit, index) => starting(unit).map((command) => step(`${name}[${index}]`, command)));
  return [step(name, 'systemctl daemon-reload'), ...each];
}

/** What runs already reads its drop-ins first: enabling does not start it again. */
function starting({ name, enabled, dropIns = [] }: Enabled): readonly string[] {
  const changed = dropIns.length > 0 && /[^@]\.service$/.test(name);
  return [
    ...(changed ? [`systemctl try-restart ${quoted(name)}`] : []),
    ...(enabled ? [`systemctl enable --now ${quoted(name)}`] : []),
  ];
}

function steps(name: string, commands: readonly string[]): readonly string[] {
  return commands.map((command, index) => step(`${name}[${index}]`, command));
}

/** Named by its place, not by what it says: a command may hold a secret, and this is printed. */
function step(name: string, command: string): string {
  return `run ${quoted(name)} ${quoted(command)}`;
}
