/** The options of a simulation, parsed. */
import { isDuration, seconds } from '#lib/api/fields/text.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import type { Faults, NoCapacity } from '#simulator/engine.ts';
import { UsageError } from '../exit.ts';
import { kindOf, objectRef, type ObjectRef, REF_FORM } from '../object-ref.ts';
import { duration } from '../terminal/table.ts';

/** Something done while the simulation runs, at a second of virtual time. */
export interface Change {
  readonly at: number;
  /** The option as it was typed. */
  readonly typed: string;
  readonly action: { readonly apply: string } | { readonly delete: ObjectRef };
}

/** @param given  the whole value, if the duration is only a part of it */
export function parseSeconds(flag: string, text: string, given = text): number {
  if (isDuration(text)) return seconds(text);
  throw new UsageError(`cannot accept ${flag} "${given}": accepted: a duration such as 90s, 5m or 1h`);
}

/** 30 days, in seconds: certificates and roll-outs of a large pool take less. */
const LONGEST = 30 * 24 * 3600;

/** Nothing happens in no time. */
export function parseFor(text: string): number {
  const limit = parseSeconds('--for', text);
  if (limit > LONGEST)
    throw new UsageError(`cannot accept --for "${text}": accepted: at most ${LONGEST / 3600}h, of simulated time`);
  if (limit > 0) return limit;
  throw new UsageError(
    `cannot accept --for "${text}": nothing happens in no time; accepted: a duration such as 90s, 5m or 1h`,
  );
}

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= 0xffff_ffff) return seed;
  throw new UsageError(`cannot accept --seed "${text}": accepted: a whole number from 0 to 4294967295`);
}

/** `FILE@T` */
export function parseApply(text: string): Change {
  const [file, at] = split('--apply', text, 'FILE@TIME such as edits/scale-up.yaml@5m');
  return { at, typed: `--apply "${text}"`, action: { apply: file } };
}

/** `KIND/NAME@T` */
export function parseDelete(text: string): Change {
  const form = `${REF_FORM}, then @TIME, such as Machine/prod-general-0-x7k2p@10m`;
  const kind = kindOf(text);
  const [subject, at] = split(
    '--delete',
    text,
    kind === undefined ? form : `${kind}/NAME@TIME such as ${kind}/prod@10m`,
  );
  const ref = objectRef(subject, `accept --delete "${text}"`);
  if (ref === undefined) throw new UsageError(`cannot accept --delete "${text}": accepted: ${form}`);
  return { at, typed: `--delete "${text}"`, action: { delete: ref } };
}

/** Throws UsageError for a change that would never happen. @param limit  seconds that are simulated */
export function refuseTooLate(changes: readonly Change[], limit: number): void {
  const late = changes.find(({ at }) => at >= limit);
  if (late === undefined) return;
  throw new UsageError(
    `cannot accept ${late.typed}: the simulation ends after ${duration(limit)}; accepted: an earlier time, or a longer --for`,
  );
}

function split(flag: string, text: string, form: string): readonly [string, number] {
  const cut = text.lastIndexOf('@');
  if (cut <= 0) throw new UsageError(`cannot accept ${flag} "${text}": accepted: ${form}`);
  return [text.slice(0, cut), parseSeconds(flag, text.slice(cut + 1), text)];
}

/** Forms of --fail. */
export const FAULTS = [
  'rate-limits=SHARE',
  'failed-creates=SHARE',
  'slow-objects=SHARE',
  'failed-updates=SHARE',
  'no-capacity=ZONE[/SIZE][@END]',
  'provider-restart=TIME',
] as const;

/** `rate-limits=0.2`, `provider-restart=3m`; several make one set of faults. */
export function parseFaults(specs: readonly string[]): Faults {
  const faults: { -readonly [Key in keyof Faults]: Faults[Key] } = {};
  for (const spec of specs) Object.assign(faults, parseFault(spec, faults));
  return faults;
}

function parseFault(spec: string, faults: Faults): Faults {
  const { name = spec, value = '' } = /^(?<name>[^=]*)=(?<value>.*)$/s.exec(spec)?.groups ?? {};
  switch (name) {
    case 'rate-limits':
      return { rateLimits: share(spec, value) };
    case 'failed-creates':
      return { failedCreates: share(spec, value) };
    case 'slow-objects':
      return { slowObjects: share(spec, value) };
    case 'failed-updates':
      return { failedUpdates: share(spec, value) };
    case 'no-capacity':
      return { noCapacity: [...(faults.noCapacity ?? []), noCapacity(spec, value)] };
    case 'provider-restart':
      return { providerRestarts: [...(faults.providerRestarts ?? []), parseSeconds('--fail', value, spec)] };
    default:
      throw new UsageError(
        `cannot accept --fail "${spec}": accepted: ${FAULTS.join(', ')}${didYouMean(
          name,
          FAULTS.map((fault) => fault.split('=')[0] ?? fault),
        )}`,
      );
  }
}

function noCapacity(spec: string, text: string): NoCapacity {
  const { zone, size, until } = /^(?<zone>[^/@=\s]+)(\/(?<size>[^/@=\s]+))?(@(?<until>.*))?$/.exec(text)?.groups ?? {};
  if (zone === undefined)
    throw new UsageError(
      `cannot accept --fail "${spec}": accepted: ZONE[/INSTANCE-TYPE][@END], where END is when the shortage ends, such as eu-west-1a/m6i.xlarge@30m`,
    );
  return {
    zone,
    ...(size === undefined ? {} : { size }),
    ...(until === undefined ? {} : { until: endOf(spec, until) }),
  };
}

/** A shortage begins with the simulation. */
function endOf(spec: string, text: string): number {
  const end = parseSeconds('--fail', text, spec);
  if (end > 0) return end;
  throw new UsageError(
    `cannot accept --fail "${spec}": the shortage would end as it begins; accepted: a later end such as @30m, or none for a shortage that lasts`,
  );
}

function share(spec: string, text: string): number {
  const value = Number(text);
  if (text !== '' && value >= 0 && value <= 1) return value;
  throw new UsageError(`cannot accept --fail "${spec}": accepted: a share from 0 to 1, such as 0.2`);
}
