/**
 * `crossplane resource validate` on all rendered objects: XRs as they are at that moment, and what they compose.
 * Nothing is downloaded: the definitions of this repository, the providers and Crossplane come from folders.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, type KubeObject, isJsonObject, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { MissingError, ROOT } from '../binaries/find.ts';
import type { Comparison } from './fidelity.ts';
import type { EngineBinaries } from './real-engine.ts';

const CRDS = process.env['SLIPWAY_CRDS'] ?? join(ROOT, '../shared/crds');
const DEFINITIONS = ['xrds', 'package/provider-node/crds'].map((folder) => join(ROOT, folder));

export interface Validation {
  /** The number of validated objects; equal ones count once. */
  readonly judged: number;
  /** One line each, in the order of rendering. */
  readonly failures: readonly string[];
}

/** Throws MissingError when the CRDs of the providers are missing. */
export async function validate(
  { crossplane }: Pick<EngineBinaries, 'crossplane'>,
  folder: string,
  comparisons: readonly Pick<Comparison, 'stage' | 'xr' | 'rendered'>[],
): Promise<Validation> {
  const given = ['aws', 'azure', 'crossplane', 'gcp', 'helm', 'kubernetes'].map((name) => join(CRDS, name));
  if (!given.every((path) => existsSync(path)))
    throw new MissingError(
      'no CRDs of clouds, Crossplane, provider-helm and provider-kubernetes: there is no folder ../shared/crds; set SLIPWAY_CRDS to one',
    );
  mkdirSync(folder, { recursive: true });
  const all = comparisons.flatMap(({ stage, xr, rendered }) =>
    rendered.map((object) => ({ where: `${stage}: ${xr}`, object })),
  );
  const different = [
    ...new Map(all.toReversed().map((one) => [JSON.stringify(one.object), one])).values(),
  ].toReversed();
  const file = join(folder, 'rendered.yaml');
  writeFileSync(file, different.map(({ object }) => JSON.stringify(object)).join('\n---\n'));
  const verdicts = await verdictsOf(crossplane, [...DEFINITIONS, ...given], file, join(folder, 'cache'));
  if (verdicts.length !== different.length)
    throw new Error(`cannot read its verdicts: ${verdicts.length} for ${different.length} objects`);
  return {
    judged: different.length,
    failures: different.flatMap((one, i) => failure(one.where, one.object, verdicts[i]) ?? []),
  };
}

/** In the order of the objects. */
async function verdictsOf(
  crossplane: string,
  definitions: readonly string[],
  file: string,
  cache: string,
): Promise<readonly JsonObject[]> {
  // An empty image: it would be downloaded for the definitions of Crossplane, which are in the folders.
  const args = ['resource', 'validate', definitions.join(','), file, '--crossplane-image=', '--cache-dir', cache];
  const said = await new Promise<string>((resolve, reject) => {
    execFile(crossplane, [...args, '-o', 'json'], { maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) => {
      // It also exits with 1 after failures, and prints all of them.
      if (stdout.startsWith('{')) resolve(stdout);
      else reject(new Error(`cannot validate what was rendered: ${stderr.trim()}`, { cause: error }));
    });
  });
  const { resources } = JSON.parse(said) as { readonly resources: readonly JsonObject[] };
  return resources;
}

function failure(where: string, object: KubeObject, verdict: JsonObject | undefined): string | undefined {
  const status = stringAt(verdict, 'status') ?? 'unknown';
  if (stringAt(verdict, 'kind') !== object.kind) throw new Error('cannot read its verdicts: they are in another order');
  if (status === 'valid') return undefined;
  const errors = verdict?.['errors'];
  const [first] = Array.isArray(errors) ? errors.filter(isJsonObject) : [];
  // Values may be secret; the field is enough to find the problem.
  const cause = first === undefined ? status : `${stringAt(first, 'type') ?? ''} ${stringAt(first, 'field') ?? ''}`;
  return `${where}: ${describeObject(object)}: ${cause}`;
}
