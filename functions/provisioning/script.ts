/**
 * The script of the first boot, for any format. Order: checks of what the format did, values that only the machine knows,
 * kernel settings, settings of the provisioner, units, pre commands of the claim, commands of the plan, removal of join secrets, post commands,
 * removal of first-boot data, sentinel. The sentinel is last: it means that everything succeeded. Every command runs in
 * its own shell, so that any failing command, also in a pipeline, ends the script. A script that runs again repeats what
 * comes before the commands of the plan, because a boot loses some of it, and goes on with the first of the others that
 * was not done: a host that is a node cannot become one again.
 */
import type { PlanFile, PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import { MACHINE_VALUES, type MetadataValue } from '#lib/api/contracts/metadata-service.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { expandedWord, expandingFiles, expansionOf, settingVariables } from './machine-variables.ts';
import { SYSCTL_FILE } from './kernel.ts';
import type { Order } from './provisioner.ts';

export const SCRIPT_PATH = '/etc/slipway/bootstrap.sh';

/** How a machine gets values from its cloud. */
export interface Lookup {
  /** Shell commands that print one value each. */
  readonly commands: Readonly<Record<MetadataValue, string>>;
  /** Shell functions that these commands use. */
  readonly functions?: string;
}

/** A setting that the format cannot express, so the script makes it; named by its field. */
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

/**
 * Says in a file how many steps are done: a boot after this one begins with the next. Names are short, because the data
 * of every machine contains them, and its size is limited.
 */
const ONCE = `
n=0
had=0$(cat "$s.n" 2>/dev/null) || :
once() {
  n=$((n + 1))
  [ "$n" -le "$had" ] || { run "$@"; echo "$n" >"$s.m"; mv "$s.m" "$s.n"; }
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

interface Steps {
  /** Before anything else: whether the host is as the format should have made it. */
  readonly checks?: readonly Step[];
  /** After kernel settings, before any unit or command. */
  readonly settings?: readonly Step[];
  /** Once the host is a node and the commands of the claim ran. */
  readonly lastly?: readonly Step[];
}

export function script(
  order: Order<'scripted'>,
  lookup: Lookup,
  { checks = [], settings = [], lastly = [] }: Steps = {},
): string {
  const { plan, customisation } = order;
  const expansion = expansionOf(order);
  const isExpanded = expansion.used.length > 0;
  const { commands, sentinel, removeAfterBootstrap, files, units, provider } = plan;
  const { sysctls, kernelModules, proxy, commands: claimed } = customisation;
  const before = [
    ...checks.map(({ field, command }) => step(field, command)),
    ...expandingFiles(expansion),
    ...substitutions(files, lookup, isExpanded),
    ...kernelModules.map((name, index) => step(`kernelModules[${index}]`, `modprobe ${quoted(name)}`)),
    ...(Object.keys(sysctls).length === 0 ? [] : [step('sysctls', `sysctl -q -p ${SYSCTL_FILE}`)]),
    ...settings.map(({ field, command }) => step(field, command)),
    ...enabling('units', customisation.units),
    ...enabling(`${provider} units`, units),
    ...steps('commands.pre', claimed.pre),
    ...steps('commands.preFrom', claimed.preFrom),
    ...steps(`${provider} pre`, commands.pre),
  ];
  const isNode = commands.bootstrap.length;
  const after = [
    ...stepsOnce(`${provider} bootstrap`, commands.bootstrap),
    ...removeAfterBootstrap.map((path) => `rm -f ${quoted(path)}`),
    ...stepsOnce(`${provider} post`, commands.post),
    ...stepsOnce('commands.post', claimed.post),
    ...stepsOnce('commands.postFrom', claimed.postFrom),
  ];
  const lines = [
    `s=${quoted(sentinel)}`,
    '[ ! -e "$s" ] || exit 0',
    'mkdir -p "${s%/*}"',
    ...(after.length === 0 ? [] : [ONCE]),
    ...(proxy === undefined ? [] : proxyVariables(proxy, plan.noProxy ?? [])).map(
      ([name, value]) => `export ${name}=${quoted(value)}`,
    ),
    ...(isExpanded ? [`${lookup.functions ?? ''}${QUERY}${settingVariables(order, lookup.commands, expansion)}`] : []),
    ...(isNode === 0 || before.length === 0 ? before : [`if [ "$had" -lt ${isNode} ]; then`, ...before, 'fi']),
    ...after,
    ...lastly.map(({ field, command }) => step(field, command)),
    ': >"$s"',
  ];
  return `${PROLOGUE}\n${lines.join('\n')}\n`;
}

/** Values with other characters than those of an id or zone are refused, because they could be shell code. */
function substitutions(
  files: readonly PlanFile[],
  { commands, functions = '' }: Lookup,
  isDefined: boolean,
): readonly string[] {
  const asked = files.filter(({ instanceVariables }) => instanceVariables);
  const used = MACHINE_VALUES.filter((name) =>
    asked.some(({ content }) => Buffer.from(content, 'base64').includes(`\${${name}}`)),
  );
  if (used.length === 0) return [];
  const expressions = used.map((name) => `-e "s|\\\${${name}}|$${name}|g"`).join(' ');
  return [
    ...(isDefined ? [] : [`${functions}${QUERY}`]),
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

/** Restarts units that already run, so that they read their drop-ins: enabling does not restart them. */
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

function stepsOnce(name: string, commands: readonly string[]): readonly string[] {
  return commands.map((command, index) => step(`${name}[${index}]`, command, 'once'));
}

/** Named by its position, not its content: a command may contain a secret, and this is printed. */
function step(name: string, command: string, how: 'run' | 'once' = 'run'): string {
  return `${how} ${quoted(name)} ${expandedWord(command)}`;
}
