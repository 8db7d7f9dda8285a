/** What Trivy's checks of the CIS benchmark want to know of a node, as its own files say it. */
import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { z } from 'zod';
import { built } from '../../e2e/binaries/find.ts';
import { BENCHMARK } from '../image/programs.ts';

export interface Asks {
  /** Commands for a shell. `$kubelet.confs` and the like are parameters. */
  readonly commands: readonly Command[];
  /** By name, such as kubelet.confs: paths or programs, of which the first one on the machine counts. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** By key of a command: a field of /configz of the kubelet, which takes precedence over its output. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** By check, such as KCV-0048: its number in the benchmark, such as 1.1.1. */
  readonly controls: ReadonlyMap<string, string>;
}

export interface Command {
  readonly key: string;
  readonly audit: string;
  /** Whether it is for control planes only. */
  readonly controlPlane: boolean;
}

const Commands = z.array(
  z.object({
    key: z.string(),
    audit: z.string(),
    nodeType: z.enum(['master', 'worker']),
    platforms: z.array(z.string()),
  }),
);
const Parameters = z.object({
  node: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.string().array()]))),
});
const Fields = z.record(z.string(), z.string());
const Controls = z.object({
  spec: z.object({
    controls: z.array(z.object({ id: z.coerce.string(), checks: z.array(z.object({ id: z.string() })).nullish() })),
  }),
});

/** Beside the paths that it knows: where kubeadm keeps the data of etcd. */
const MORE: Readonly<Record<string, readonly string[]>> = { 'etcd.datadirs': ['/var/lib/etcd'] };

export function asksOf(texts: Readonly<Record<string, string>>): Asks {
  const text = (path: string): unknown => parse(texts[path] ?? '');
  const commands = Object.entries(texts)
    .filter(([path]) => path.startsWith('commands/kubernetes/'))
    .flatMap(([, commandsText]) => Commands.parse(parse(commandsText)))
    .filter(({ platforms }) => platforms.includes('k8s'));
  const { node } = Parameters.parse(text('commands/config/node.yaml'));
  const fields = Object.entries(Fields.parse(text('commands/config/kubelet_mapping.yaml')));
  const { spec } = Controls.parse(text('controls'));
  return {
    commands: commands.map(({ key, audit, nodeType }) => ({ key, audit, controlPlane: nodeType === 'master' })),
    parameters: new Map(
      Object.entries(node).flatMap(([component, named]) =>
        Object.entries(named).map(([name, value]) => {
          const parameter = `${component}.${name}`;
          return [parameter, [...(MORE[parameter] ?? []), ...[value].flat()]] as const;
        }),
      ),
    ),
    // One of them ends with a quotation mark and a comma.
    fields: new Map(fields.map(([key, path]) => [key, path.replace(/[^\w]+$/, '').split('.')])),
    controls: new Map(
      spec.controls.flatMap(({ id, checks }) => (checks ?? []).map((check) => [check.id, id] as const)),
    ),
  };
}

export function asks(): Asks {
  return asksOf(z.record(z.string(), z.string()).parse(JSON.parse(benchmark('asks'))));
}

const Verdicts = z.array(z.object({ check: z.string(), title: z.string(), file: z.string(), passed: z.boolean() }));
export type Verdict = z.output<typeof Verdicts>[number];

/** What the checks say of the objects in the YAML files of a folder. */
export function verdicts(folder: string): readonly Verdict[] {
  return Verdicts.parse(JSON.parse(benchmark(folder)));
}

function benchmark(argument: string): string {
  return execFileSync(built(BENCHMARK), [argument], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
