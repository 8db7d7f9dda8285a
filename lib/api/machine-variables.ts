/**
 * Values of a machine that its claim may use before there is a machine: `${SLIPWAY_ADDRESS}`. The first boot replaces
 * them, in files, units, commands and kubelet flags. Each has only letters, digits and . _ : / -, so it is text in any
 * quotes of a shell, and needs none.
 */
export const MACHINE_VARIABLES = [
  'SLIPWAY_INSTANCE_ID',
  'SLIPWAY_FAILURE_DOMAIN',
  'SLIPWAY_ADDRESS',
  'SLIPWAY_HOSTNAME',
  'SLIPWAY_ACTION',
] as const;

export type MachineVariable = (typeof MACHINE_VARIABLES)[number];

/** As a text has it. */
export function reference(name: MachineVariable): string {
  return `\${${name}}`;
}

/** Those that a text uses, in the order of the list. */
export function variablesIn(text: string | Buffer): readonly MachineVariable[] {
  return MACHINE_VARIABLES.filter((name) => text.includes(reference(name)));
}

const ACCEPTED = `accepted: ${MACHINE_VARIABLES.map(reference).join(', ')}`;

/** Words that Cluster API, cloud-init and coreos-metadata replace, and nothing does here. */
const OF_OTHERS = /\{\{-?\s*(?:ds|v1)\s*[.[]|\$\{?COREOS_[A-Z0-9_]+/;

/** Why no machine replaces what a text says; undefined: it does, or there is nothing. */
export function variableFault(text: string): string | undefined {
  const [written] = text.match(/\$\{?SLIPWAY_\w*\}?/g)?.filter((one) => !KNOWN.has(one)) ?? [];
  return written === undefined ? undefined : `${written} is no value of a machine; ${ACCEPTED}`;
}

const KNOWN: ReadonlySet<string> = new Set(MACHINE_VARIABLES.map(reference));

/** The same of words that other tools replace. */
export function foreignFault(text: string): string | undefined {
  const [written] = OF_OTHERS.exec(text) ?? [];
  return written === undefined ? undefined : `nothing replaces ${written.trim()} here; ${ACCEPTED}`;
}

/** Where a claim says something that no machine of it would get; undefined: nowhere. */
export interface TextFault {
  readonly path: string;
  readonly reason: string;
}

/** @param takes  whether the place of a text has its references replaced; otherwise why not */
export function textFault(value: unknown, takes: (path: string) => true | string): TextFault | undefined {
  for (const [path, text] of textsIn(value)) {
    const takesThem = takes(path);
    const reason =
      variableFault(text) ??
      (takesThem === true || variablesIn(text).length === 0
        ? undefined
        : `${variablesIn(text).map(reference).join(', ')} ${takesThem}`);
    if (reason !== undefined) return { path, reason };
  }
  return undefined;
}

/** Every text in a value, by its path. */
export function textsIn(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsIn(one, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, path === '' ? key : `${path}.${key}`));
}
