/** slipway payload: what a machine runs on its first boot, as it will read it. */
import type { Engine } from '#simulator/engine.ts';
import { referencesIn } from '#lib/api/fields/value-from.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION, LABEL } from '#lib/api/words.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { EXIT, fitted, UsageError } from '../exit.ts';
import { readObjects } from '../files/read-objects.ts';
import { decisiveReasons } from '../simulate/decisive.ts';
import { prepare, type SimulationOptions } from '../simulate/simulation.ts';
import { legible, legibleLines } from '../terminal/legible.ts';
import { outputTo } from '../terminal/output.ts';
import { watchEngine } from '../working.ts';
import { decodePayload } from './decode.ts';
import { maskedValues } from './mask.ts';

export interface PayloadOptions {
  /** Name of the Machine; the first control-plane machine when left out. */
  readonly machine: string | undefined;
  /** A payload Secret in a file, instead of a simulation. */
  readonly secret: string | undefined;
  readonly showSecrets: boolean;
  /** Print exactly the bytes that the machine gets. */
  readonly raw: boolean;
  /** File for the result; standard output by default. */
  readonly file: string | undefined;
}

/** @returns the exit code */
export async function payload(simulation: SimulationOptions, options: PayloadOptions): Promise<number> {
  const output = outputTo(options.file);
  const { secret, values } =
    options.secret === undefined
      ? await simulated(simulation, options.machine)
      : { secret: secretIn(options.secret), values: [] };
  const read = (key: string): Buffer => Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64');
  const value = read('value');
  if (value.length === 0)
    throw new SlipwayError(
      'UnreadableSecret',
      `cannot read the payload Secret "${secret.metadata?.name ?? '?'}": it has no key value`,
    );
  if (options.raw) {
    if (output.width !== undefined && !isText(value))
      throw new UsageError(
        'cannot print --raw: it is not text, and this is a terminal; accepted: --output-file FILE, or a pipe',
      );
    output.write(value);
    return EXIT.done;
  }
  const decoded = decodePayload(value, read('format').toString() || 'cloud-config', options.showSecrets);
  const { headline } = decoded;
  const text = options.showSecrets ? decoded.text : maskedValues(decoded.text, values);
  const masked = options.showSecrets
    ? ''
    : '; values that look like secrets are masked (use --show-secrets to print them)';
  process.stderr.write(fitted(legible(`${secret.metadata?.name ?? 'payload'}: ${headline}${masked}`)));
  const shown = output.width === undefined ? text : legibleLines(text);
  output.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  return EXIT.done;
}

function isText(bytes: Buffer): boolean {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) && legibleLines(text) === text;
}

function secretIn(file: string): KubeObject {
  const found = readObjects([file]).find(({ kind }) => kind === 'Secret');
  if (found !== undefined) return found;
  throw new UsageError(
    `cannot use "${file}": it has no Secret; accepted: a payload Secret, as printed by kubectl get -o yaml`,
  );
}

interface Simulated {
  readonly secret: KubeObject;
  /** Values of Secrets that the machine refers to. */
  readonly values: readonly string[];
}

async function simulated(options: SimulationOptions, machine: string | undefined): Promise<Simulated> {
  const prepared = prepare(options);
  try {
    const engine = await prepared.start();
    const working = watchEngine(engine);
    const { reached } = await engine
      .runUntil(() => secretOf(engine, machine) !== undefined, { limitSeconds: options.limit })
      .finally(() => working.end());
    const secret = secretOf(engine, machine);
    if (reached && secret !== undefined) return { secret, values: valuesOf(engine, machine) };
    throw notFound(engine, machine);
  } finally {
    prepared.stop();
  }
}

function machineOf(engine: Engine, machine: string | undefined): KubeObject | undefined {
  return machinesOf(engine).find(({ metadata }) =>
    machine === undefined ? metadata?.labels?.[LABEL.role] === 'control-plane' : metadata?.name === machine,
  );
}

function valuesOf(engine: Engine, machine: string | undefined): readonly string[] {
  const found = machineOf(engine, machine);
  const namespace = found?.metadata?.namespace ?? '';
  return referencesIn(found?.spec?.['provisioning']).flatMap(({ from: { secret } }) => {
    const object = engine.get({ apiVersion: 'v1', kind: 'Secret', namespace, name: secret.name });
    return [Buffer.from(stringAt(object, 'data', secret.key) ?? '', 'base64').toString()];
  });
}

function secretOf(engine: Engine, machine: string | undefined): KubeObject | undefined {
  const found = machineOf(engine, machine);
  if (found === undefined) return undefined;
  return engine.get({
    apiVersion: 'v1',
    kind: 'Secret',
    namespace: found.metadata?.namespace ?? '',
    name: `${found.metadata?.name ?? ''}-payload`,
  });
}

function machinesOf(engine: Engine): readonly KubeObject[] {
  return engine.list({ apiVersion: API_VERSION, kind: 'Machine' });
}

function notFound(engine: Engine, machine: string | undefined): SlipwayError {
  const names = machinesOf(engine).map(({ metadata }) => metadata?.name ?? '?');
  const found = machineOf(engine, machine);
  const name = found?.metadata?.name ?? machine ?? 'control-plane';
  const cause = found === undefined && names.length > 0 ? `accepted: ${oneOf(name, names)}` : reasonOf(engine);
  return new UsageError(`cannot find the first-boot data of Machine "${name}": ${cause}`);
}

/** What stands in the way: the simulation has run, and knows it. */
function reasonOf(engine: Engine): string {
  const { seconds, ...known } = engine.snapshot();
  return decisiveReasons(known)[0] ?? `it has none after ${seconds}s; accepted: a longer --for`;
}
