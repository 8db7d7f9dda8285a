/** slipway payload: what a machine runs on its first boot, as it will read it. */
import type { Engine } from '#simulator/engine.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION, LABEL } from '#lib/api/words.ts';
import { PAYLOAD_KEYS } from '#lib/api/contracts/payload.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { secretsOf } from '#lib/fn/masking/secrets.ts';
import { EXIT, fitted, UsageError } from '../exit.ts';
import { readObjects } from '../files/read-objects.ts';
import { decisiveReasons } from '../simulate/decisive.ts';
import { prepare, type SimulationOptions } from '../simulate/simulation.ts';
import { legible, legibleLines } from '../terminal/legible.ts';
import { outputTo } from '../terminal/output.ts';
import { watchEngine } from '../working.ts';
import { decodePayload } from './decode.ts';
import { firstBootMask } from './mask.ts';

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
  const { secret, others } =
    options.secret === undefined ? await simulated(simulation, options.machine) : secretIn(options.secret);
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
  const mask = options.showSecrets ? undefined : firstBootMask(secretsOf(others));
  const { headline, text } = decodePayload(value, read('format').toString() || 'cloud-config', mask);
  const masked = mask === undefined ? '' : '; secrets are masked (use --show-secrets to print them)';
  process.stderr.write(fitted(legible(`${secret.metadata?.name ?? 'payload'}: ${headline}${masked}`)));
  const shown = output.width === undefined ? text : legibleLines(text);
  output.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  return EXIT.done;
}

function isText(bytes: Buffer): boolean {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) && legibleLines(text) === text;
}

function secretIn(file: string): FirstBoot {
  const secrets = readObjects([file]).filter(({ kind }) => kind === 'Secret');
  const secret = secrets.find((one) => stringAt(one, 'data', PAYLOAD_KEYS.format) !== undefined) ?? secrets[0];
  if (secret !== undefined) return { secret, others: secrets.filter((one) => one !== secret) };
  throw new UsageError(
    `cannot use "${file}": it has no Secret; accepted: a payload Secret, as printed by kubectl get -o yaml`,
  );
}

interface FirstBoot {
  readonly secret: KubeObject;
  /** Secrets whose values may be in it. */
  readonly others: readonly KubeObject[];
}

async function simulated(options: SimulationOptions, machine: string | undefined): Promise<FirstBoot> {
  const prepared = prepare(options);
  try {
    const engine = await prepared.start();
    const working = watchEngine(engine);
    const { reached } = await engine
      .runUntil(() => secretOf(engine, machine) !== undefined, { limitSeconds: options.limit })
      .finally(() => working.end());
    const secret = secretOf(engine, machine);
    if (reached && secret !== undefined) return { secret, others: engine.list({ apiVersion: 'v1', kind: 'Secret' }) };
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
