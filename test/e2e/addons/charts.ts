/** Small charts of our own under the names and versions of the charts that a Composition installs. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { at, stringAt } from '#lib/api/json.ts';
import { ROOT } from '../binaries/find.ts';

/** `network`: the agent of a pod network, for which kubelets wait. `agent`: a DaemonSet. */
type Content = 'network' | 'agent';

export interface OwnChart {
  /** https://… */
  readonly repository: string;
  readonly name: string;
  readonly version: string;
  readonly content: Content;
}

/** Those that the Compositions of the lab install into every cluster, in every version. */
export function defaultCharts(): readonly OwnChart[] {
  const all = ['aws', 'gcp'].flatMap(chartsOf);
  const keyOf = ({ repository, name, version }: OwnChart): string => [repository, name, version].join(' ');
  return [...new Map(all.map((chart) => [keyOf(chart), chart])).values()];
}

function chartsOf(cloud: string): readonly OwnChart[] {
  const composition: unknown = parse(readFileSync(join(ROOT, `compositions/${cloud}/cluster.yaml`), 'utf8'));
  const input = listAt(composition, 'spec', 'pipeline')
    .map((step) => at(step, 'input'))
    .find((one) => stringAt(one, 'kind') === 'AddOnsInput');
  return listAt(input, 'defaults').flatMap((one) =>
    listAt(one, 'versions').map((version) => ({
      repository: stringAt(one, 'chart', 'repository') ?? '',
      name: stringAt(one, 'chart', 'name') ?? '',
      version: stringAt(version, 'version') ?? '',
      content: stringAt(one, 'brings') === 'network' ? 'network' : 'agent',
    })),
  );
}

/** The folder of the chart, made below another. */
export function sourceOf({ content, name, version }: OwnChart, folder: string): string {
  const source = join(folder, name);
  mkdirSync(source, { recursive: true });
  cpSync(join(import.meta.dirname, 'charts', content), source, { recursive: true });
  writeFileSync(join(source, 'Chart.yaml'), stringify({ apiVersion: 'v2', name, version }));
  return source;
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
