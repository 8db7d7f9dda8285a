/**
 * The files that update rules stand in: of every cloud its `rules.yaml` and the Composition that serves it, and the extract of
 * what its provider can change, `mutability.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CLOUD_FIELDS } from '#clouds/fields.ts';
import { GROUP, INPUT_API_VERSION } from '#lib/api/words.ts';
import type { CloudFields } from '#lib/cloud/fields.ts';
import { type SourceField, sourceOf } from '../provider-source.ts';
import type { Mutability } from './mutability.ts';
import { rulesOf, updatersOf } from './rules.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * What a provider can change, as it was read from its source; undefined when that is not beside the repository, and for
 * kinds of our own, whose extract is written by hand.
 */
export function readSource({ kind }: CloudFields): Mutability | undefined {
  if (kind.split('/')[0]?.endsWith(`.${GROUP}`) === true) return undefined;
  const fields = sourceOf(kind);
  return fields && { [kind]: extract(fields) };
}

function extract(fields: readonly SourceField[]): Mutability[string] {
  const paths = (refused: boolean): readonly string[] =>
    fields.filter(({ forceNew }) => forceNew === refused).map(({ path }) => path.replace(/\[\]$/, ''));
  return { accepted: paths(false), refused: paths(true) };
}

/** The extract that is committed. */
export function readExtract(name: string): Mutability {
  return JSON.parse(readFileSync(join(ROOT, extractPath(name)), 'utf8')) as Mutability;
}

/** In the repository. */
export function rulesPath(name: string): string {
  return `clouds/${name}/rules.yaml`;
}

function extractPath(name: string): string {
  return `clouds/${name}/mutability.json`;
}

/** The input as YAML, with the reason above each group of rules. */
export function inputYaml(name: string, cloud: CloudFields, mutability: Mutability): string {
  const rules = rulesOf(cloud, mutability);
  const lines = rules.flatMap(({ path, when, decision, updater, why }, index) => [
    ...(rules[index - 1]?.why === why ? [] : [`  # ${why}`]),
    `  - path: ${path}`,
    ...(when === undefined ? [] : [`    when: ${scalar(when)}`]),
    `    decision: ${decision}`,
    ...(updater === undefined ? [] : [`    updater: ${updater}`]),
  ]);
  const updaters = updatersOf(rules).map(
    ({ name, runsOn, disruptive, timeout }) =>
      `  - name: ${name}\n    runsOn: ${runsOn}\n    disruptive: ${disruptive}\n    timeout: ${timeout}`,
  );
  return `# Rules generated from clouds/${name}/fields.ts by \`npm run generate\`; change that table, not this.
apiVersion: ${INPUT_API_VERSION}
kind: InPlaceUpdateInput
select:
  apiVersion: slipway.dev/v1alpha1
  kind: Machine
rules:
${lines.join('\n')}
otherwise: Recreate
updaters:
${updaters.join('\n')}
`;
}

function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

const INPUT = '\n      input:\n';

/** Every generated file by its path in the repository. A Composition keeps all that comes before the input of its last step. */
export function updateRuleFiles(): ReadonlyMap<string, string> {
  return new Map(Object.entries(CLOUD_FIELDS).flatMap(([name, cloud]) => filesOf(name, cloud)));
}

function filesOf(name: string, cloud: CloudFields): readonly (readonly [path: string, text: string])[] {
  const mutability = readSource(cloud) ?? readExtract(name);
  const yaml = inputYaml(name, cloud, mutability);
  const own = [
    [extractPath(name), `${JSON.stringify(mutability, undefined, 2)}\n`],
    [rulesPath(name), yaml],
  ] as const;
  const composition = `compositions/${name}/nodepool.yaml`;
  if (!existsSync(join(ROOT, composition))) return own;
  const text = readFileSync(join(ROOT, composition), 'utf8');
  const head = text.slice(0, text.lastIndexOf(INPUT) + INPUT.length);
  return [...own, [composition, head + yaml.replaceAll(/^(?=.)/gm, ' '.repeat(8))]];
}
