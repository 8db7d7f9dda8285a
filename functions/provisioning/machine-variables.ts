/**
 * Values of the machine that its claim uses, in the script of a shell: read once, and put into files, units and
 * commands as text. A value with other characters than those of an address or an id ends the script, because it could be
 * shell code.
 */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { MACHINE_VARIABLES, type MachineVariable, reference, variablesIn } from '#lib/api/machine-variables.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { claimedFile, plannedFile } from './host-file.ts';
import type { Order } from './provisioner.ts';

export interface Expansion {
  /** Those that the claim uses. */
  readonly used: readonly MachineVariable[];
  /** Paths of the files that use one. */
  readonly files: readonly string[];
}

const UNITS = '/etc/systemd/system';

export function expansionOf({ plan, customisation, owner }: Order<'scripted'>): Expansion {
  const texts = [
    ...customisation.files.map((file, index) => claimedFile(file, index, owner)),
    ...plan.files.map(plannedFile),
    ...unitFiles([...customisation.units, ...plan.units]),
  ].map(({ path, bytes }) => ({ path, names: variablesIn(bytes) }));
  const { pre, preFrom, post, postFrom } = customisation.commands;
  const commands = [pre, preFrom, post, postFrom, ...Object.values(plan.commands)].flat();
  const named = new Set([...texts.flatMap(({ names }) => names), ...commands.flatMap(variablesIn)]);
  return {
    used: MACHINE_VARIABLES.filter((name) => named.has(name)),
    files: [...new Set(texts.flatMap(({ path, names }) => (names.length === 0 ? [] : [path])))],
  };
}

type AnyUnit = Pick<Customisation['units'][number], 'name' | 'contents'> & {
  readonly dropIns?: Customisation['units'][number]['dropIns'];
};

function unitFiles(units: readonly AnyUnit[]): readonly { readonly path: string; readonly bytes: Buffer }[] {
  return units.flatMap(({ name, contents = '', dropIns = [] }) => [
    { path: `${UNITS}/${name}`, bytes: Buffer.from(contents) },
    ...dropIns.map((dropIn) => ({ path: `${UNITS}/${name}.d/${dropIn.name}`, bytes: Buffer.from(dropIn.contents) })),
  ]);
}

/** The source address of the default route: no packet is sent. */
const ADDRESS = `address() {
  route="$(ip -4 route get 192.0.2.1 2>/dev/null)" || route="$(ip -6 route get 2001:db8::1)" || return
  case "$route" in *' src '*) ;; *) return 1 ;; esac
  route="\${route#* src }"
  printf '%s' "\${route%% *}"
}
`;

/** What a shell runs for each value. @param lookup  commands for those that only the cloud knows */
function commandsFor(
  { plan, action }: Order<'scripted'>,
  lookup: Readonly<Record<'instanceId' | 'failureDomain', string>>,
): Readonly<Record<MachineVariable, string>> {
  return {
    SLIPWAY_INSTANCE_ID: lookup.instanceId,
    SLIPWAY_FAILURE_DOMAIN: lookup.failureDomain,
    SLIPWAY_ADDRESS: 'address',
    SLIPWAY_HOSTNAME: `printf %s ${quoted(plan.nodeName)}`,
    SLIPWAY_ACTION: `printf %s ${actionOf(action)}`,
  };
}

export function actionOf(action: Order['action']): 'init' | 'join' {
  return action === 'Init' ? 'init' : 'join';
}

/** Sets the variables, and defines `expanded TEXT`; after the functions of the lookup. */
export function settingVariables(
  order: Order<'scripted'>,
  lookup: Readonly<Record<'instanceId' | 'failureDomain', string>>,
  { used }: Expansion,
): string {
  const commands = commandsFor(order, lookup);
  return [
    ...(used.includes('SLIPWAY_ADDRESS') ? [ADDRESS] : []),
    ...used.map((name) => `${name}="$(query ${commands[name]})"\nexport ${name}\n`),
    `expanded() {\n  printf '%s' "$1" | sed ${replacing(used)}\n}\n`,
  ].join('');
}

/** Each value in place of its reference. */
export function expandingFiles({ used, files }: Expansion): readonly string[] {
  return files.length === 0 ? [] : [`sed -i ${replacing(used)} ${files.map(quoted).join(' ')}`];
}

export function expandedWord(command: string): string {
  return variablesIn(command).length === 0 ? quoted(command) : `"$(expanded ${quoted(command)})"`;
}

function replacing(names: readonly MachineVariable[]): string {
  return names.map((name) => `-e "s|\\${reference(name)}|$${name}|g"`).join(' ');
}
