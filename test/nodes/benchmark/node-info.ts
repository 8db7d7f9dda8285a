/** What a machine says of itself, as the object that the checks read: a NodeInfo. */
import { at, type KubeObject } from '#lib/api/json.ts';
import type { Asks, Command } from './asks.ts';

export interface Shell {
  /** Whether it is a control plane. */
  readonly controlPlane: boolean;
  readonly name: string;
  /** Runs a script; returns its standard output. */
  readonly run: (script: string) => Promise<string>;
}

type Values = readonly (string | number)[];

const MARK = '== ';

/** @param configz  of its kubelet, as the API server passes it on */
export async function nodeInfo(shell: Shell, asks: Asks, configz: unknown): Promise<KubeObject> {
  const commands = asks.commands.filter(({ controlPlane }) => shell.controlPlane || !controlPlane);
  const chosen = await parametersOn(shell, asks);
  const said = sections(await shell.run(commands.map((command) => section(command, chosen)).join('\n')));
  const info = Object.fromEntries(
    commands.map(({ key }) => [key, { values: fieldOf(configz, asks.fields.get(key)) ?? said.get(key) ?? [] }]),
  );
  return {
    apiVersion: 'v1',
    kind: 'NodeInfo',
    metadata: { name: shell.name },
    type: shell.controlPlane ? 'master' : 'worker',
    info,
  };
}

/** Each parameter has the first value that exists as a path or runs as a program; otherwise the first one. */
async function parametersOn({ run }: Shell, { parameters }: Asks): Promise<ReadonlyMap<string, string>> {
  const script = [...parameters].map(([name, values]) => {
    const tries = values.map((value) => `{ test -e '${value}' || pgrep -x '${value}' >/dev/null; } && echo '${value}'`);
    return `echo '${MARK}${name}'; ${tries.join(' || ')} || echo '${values[0] ?? ''}'`;
  });
  return new Map([...sections(await run(script.join('\n')))].map(([name, [value = '']]) => [name, String(value)]));
}

/** An audit that lists a folder gets the folder of the file that its parameter names. One has no space after awk. */
function section({ key, audit }: Command, chosen: ReadonlyMap<string, string>): string {
  const text = audit
    .replaceAll(/\bawk'/g, "awk '")
    .replaceAll(
      /(ls -\w+) \$(\w+\.\w+)/g,
      (_, list: string, name: string) => `${list} "$(dirname ${chosen.get(name)})"`,
    )
    .replaceAll(/\$(\w+\.\w+)/g, (_, name: string) => chosen.get(name) ?? '');
  return `echo '${MARK}${key}'; ( ${text} ) 2>/dev/null`;
}

function sections(output: string): ReadonlyMap<string, Values> {
  return new Map(
    output
      .split(new RegExp(`^${MARK}`, 'm'))
      .slice(1)
      .map((part) => {
        const [name = '', ...lines] = part.split('\n');
        return [
          name,
          lines
            .flatMap((line) => line.split(','))
            .filter((value) => value !== '')
            .map(numbered),
        ] as const;
      }),
  );
}

const numbered = (value: string): string | number => (/^\d+$/.test(value) ? Number(value) : value);

/** Undefined if the kubelet does not say it. The checks compare numbers with numbers, and switches with words. */
function fieldOf(configz: unknown, path: readonly string[] | undefined): Values | undefined {
  const value = path === undefined ? undefined : at(configz, ...path);
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((one) =>
    typeof one === 'number' || typeof one === 'string' ? one : JSON.stringify(one),
  );
}
