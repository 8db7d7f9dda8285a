/** slipway render: one XR through one Composition, printed as `crossplane composition render` prints it. */
import { existsSync } from 'node:fs';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { isSecret } from '#lib/fn/masking/secrets.ts';
import { renderOnce } from '#simulator/render/render-once.ts';
import { sortedYaml } from '#lib/api/yaml.ts';
import { callable, type CallableOptions, refuseUncalled } from '../callable.ts';
import { errorLine, EXIT, UsageError } from '../exit.ts';
import { STANDARD_INPUT } from '../files/place.ts';
import { readObject, readObjects } from '../files/read-objects.ts';
import { definitions } from '../files/repository.ts';
import { maskedObjects } from '../masking.ts';
import { outputTo } from '../terminal/output.ts';

export interface RenderOptions extends CallableOptions {
  readonly observed: readonly string[];
  readonly required: readonly string[];
  /** Print the XR with its spec, not just what a reconcile writes of it. */
  readonly fullXr: boolean;
  /** Print results after the resources. */
  readonly results: boolean;
  /** Print values of Secrets. */
  readonly showSecrets: boolean;
  /** RFC 3339; the current time for functions. */
  readonly now: Date | undefined;
  /** File for the result; standard output by default. */
  readonly file: string | undefined;
}

/** @returns the exit code */
export async function render(xr: string, composition: string, options: RenderOptions): Promise<number> {
  const output = outputTo(options.file);
  refuseSwapped(xr, composition);
  const claim = readObject(xr);
  const chosen = readObject(composition);
  if (chosen.kind !== 'Composition')
    throw new UsageError(`cannot use "${composition}": it is a ${chosen.kind}; accepted: a Composition`);
  options.observed.forEach(refuseFormat);
  const observed = readObjects(options.observed);
  const required = readObjects(options.required);
  const definition = definitions().find(
    (object) =>
      stringAt(object, 'spec', 'names', 'kind') === claim.kind && object.kind === 'CompositeResourceDefinition',
  );
  refuseUncalled(options, [chosen]);
  const functions = await callable(options);
  try {
    const rendered = await renderOnce(claim, chosen, {
      functions: functions.caller,
      observed,
      required,
      ...(definition === undefined ? {} : { definition }),
      ...(options.now === undefined ? {} : { now: options.now }),
    });
    const composite = options.fullXr ? withSpec(rendered.composite, claim) : rendered.composite;
    const results = options.results ? rendered.results.map(resultObject) : [];
    const objects = [composite, ...rendered.composed, ...results];
    const known = [...observed, ...required, ...rendered.composed];
    const shown = options.showSecrets ? objects : maskedObjects(objects, known);
    output.write(shown.map(document).join(''));
    if (!options.showSecrets && known.some(isSecret)) process.stderr.write(errorLine(MASKED_NOTE));
    return EXIT.done;
  } finally {
    functions.stop();
  }
}

const MASKED_NOTE = 'values of Secrets are masked (use --show-secrets to print them)';

/** A claim is read from the first file and the Composition from the second: the other way round is said as such. */
function refuseSwapped(xr: string, composition: string): void {
  if (xr === STANDARD_INPUT || readObjects([xr]).every(({ kind }) => kind !== 'Composition')) return;
  throw new UsageError(
    `cannot use "${xr}": it is a Composition; accepted: a file with one claim, then one with a Composition: render ${composition} ${xr}`,
  );
}

/** Formats of other commands, and of kubectl, where `-o` takes one. */
const FORMATS: ReadonlySet<string> = new Set(['yaml', 'json', 'table', 'markdown', 'wide', 'name']);

function refuseFormat(path: string): void {
  if (!FORMATS.has(path) || existsSync(path)) return;
  throw new UsageError(
    `cannot accept --observed-resources "${path}": render always prints YAML, and -o is short for --observed-resources; accepted: a file or folder with existing composed resources`,
  );
}

function document(object: KubeObject): string {
  return `---\n${sortedYaml(object)}`;
}

function withSpec(composite: KubeObject, claim: KubeObject): KubeObject {
  const machinery = at(composite, 'spec', 'crossplane') as JsonObject | undefined;
  const own = claim.spec?.['crossplane'] as JsonObject | undefined;
  return {
    ...composite,
    metadata: { ...claim.metadata, ...composite.metadata },
    spec: { ...claim.spec, crossplane: { ...own, ...machinery } },
  };
}

function resultObject({
  severity,
  reason,
  message,
}: {
  readonly severity: string;
  readonly reason: string;
  readonly message: string;
}): KubeObject {
  return { apiVersion: 'render.crossplane.io/v1beta1', kind: 'Result', message, reason, severity };
}
