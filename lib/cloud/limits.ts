/**
 * What a platform lets claims choose of a machine, in the input of the steps that judge claims: the control plane of a
 * Cluster and the machines of a pool have the same limits.
 */
import { z } from 'zod';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { MachineTemplate } from '#lib/api/fields/machine-template.ts';
import type { Json } from '#lib/api/json.ts';
import { isLike } from '#lib/api/pattern.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { listed } from './asked.ts';
import type { Catalog } from './catalog.ts';
import { diskFault, type DiskPlace, type DiskTypes } from './disk-types.ts';
import { partsOf } from './image-keys.ts';
import type { NativeNames } from './native-names.ts';

/** In a list of ids or regions, stands for all. */
export const ANY = '*';

/** In a list of sizes or images, stands for the names of the catalog, also those that an EnvironmentConfig adds. */
const ALL_OF_CATALOG = 'catalog';

const patterns = () => z.array(z.string().min(1).max(256)).max(256).optional();

export const MACHINE_LIMITS = {
  sizes: patterns().describe(
    'Values that claims may give to class or instanceType; * stands for any text, and catalog for every class of the catalog, also those of an EnvironmentConfig.',
  ),
  images: patterns().describe(
    'Values that claims may give to image; * stands for any text, and catalog for every image of the catalog, also those of an EnvironmentConfig.',
  ),
  diskSizeGiB: z.int().min(8).optional().describe('Maximum size of a disk.'),
  diskTypes: patterns().describe(
    'Values that claims may give to the type of a disk; * stands for any text. One that no machine boots from is accepted of data disks only. Default: the types of the cloud that this release knows.',
  ),
  encryptedDisks: z.boolean().default(false).describe('Whether disks must be encrypted.'),
};

type MachineLimits = z.output<z.ZodObject<typeof MACHINE_LIMITS>>;
type Machine = Pick<MachineTemplate, 'class' | 'instanceType' | 'image' | 'rootDisk' | 'dataDisks'>;

export interface Made {
  readonly path: readonly string[];
  /** Undefined: the field is not set. */
  readonly value: Json | undefined;
}

/** A choice outside the limits. */
export interface Outside {
  /** Below the machine: a machine that was made with all of these has it. */
  readonly made: readonly Made[];
  /** Of the machine, as messages name it. */
  readonly field: string;
  readonly value: Json;
  /** Undefined: the release says it and not the platform, so that what has it already may grow, as it could before. */
  readonly limit?: keyof MachineLimits;
  readonly accepted: string;
  /** Which name was probably meant, to end the message with. */
  readonly meant?: string;
}

/**
 * Every choice outside, in the order of the fields.
 * @param names  of the cloud; undefined: not known, so that disks may have any type
 * @param overrides  with every patch at hand: some types of disks need one
 */
export function outsideLimits(
  { class: size, instanceType, image, rootDisk, dataDisks = [] }: Machine,
  { sizes, images, ...ofDisks }: MachineLimits,
  catalog: Pick<Catalog, 'classes' | 'images'>,
  names: NativeNames | undefined,
  overrides: readonly Override[],
): readonly Outside[] {
  const classes = Object.keys(catalog.classes);
  const named = [...new Set(Object.keys(catalog.images).map((key) => partsOf(key).name))];
  const outside: Outside[] = [];
  if (isOutside(size, sizes, classes))
    outside.push({
      ...ofField('class', size),
      limit: 'sizes',
      accepted: allowed(sizes, classes),
      meant: typo(size, classes, offeredBy(sizes, classes)),
    });
  if (isOutside(instanceType, sizes, []))
    outside.push({ ...ofField('instanceType', instanceType), limit: 'sizes', accepted: allowed(sizes, []) });
  if (isOutside(image, images, named))
    outside.push({
      ...ofField('image', image),
      limit: 'images',
      accepted: allowed(images, named),
      meant: typo(image, named, offeredBy(images, named)),
    });
  const known = { types: names?.diskTypes, overrides };
  const inRoot = outsideDisk(rootDisk, ofDisks, 'root', known).map(({ field, and = [], ...one }) => ({
    ...one,
    made: [field, ...and].map((name) => ({ path: ['rootDisk', name], value: rootDisk[name] })),
    field: `rootDisk.${field}`,
  }));
  const made = [{ path: ['dataDisks'], value: dataDisks.map((disk) => ({ ...disk })) }];
  const inData = dataDisks.flatMap((disk, index) =>
    outsideDisk(disk, ofDisks, 'data', known).map(({ field, and: _and, ...one }) => ({
      ...one,
      made,
      field: `dataDisks[${index}].${field}`,
    })),
  );
  return [...outside, ...inRoot, ...inData];
}

function ofField(field: string, value: string): Pick<Outside, 'made' | 'field' | 'value'> {
  return { made: [{ path: [field], value }], field, value };
}

interface Disk {
  readonly sizeGiB: number;
  readonly type?: string | undefined;
  readonly encrypted: boolean;
}

interface OutsideDisk extends Omit<Outside, 'made' | 'field'> {
  readonly field: keyof Disk;
  /** What else makes it one. */
  readonly and?: readonly (keyof Disk)[];
}

interface Known {
  /** Those that the cloud has. */
  readonly types: DiskTypes | undefined;
  readonly overrides: readonly Override[];
}

function outsideDisk(
  { sizeGiB, type, encrypted }: Disk,
  { diskSizeGiB, diskTypes, encryptedDisks }: Pick<MachineLimits, 'diskSizeGiB' | 'diskTypes' | 'encryptedDisks'>,
  place: DiskPlace,
  { types: ofCloud, overrides }: Known,
): readonly OutsideDisk[] {
  const outside: OutsideDisk[] = [];
  if (diskSizeGiB !== undefined && sizeGiB > diskSizeGiB) {
    const accepted = `at most ${diskSizeGiB}`;
    outside.push({ field: 'sizeGiB', value: sizeGiB, limit: 'diskSizeGiB', accepted });
  }
  const types = diskTypes ?? (ofCloud === undefined ? [ANY] : Object.keys(ofCloud[place]));
  const isAllowed = (one: string): boolean => types.some((pattern) => isLike(one, pattern));
  // What the platform says first: what it does not allow stops growth, too.
  const isRefused = diskTypes !== undefined && type !== undefined && !isAllowed(type);
  const fault =
    ofCloud === undefined || isRefused ? undefined : diskFault({ type, sizeGiB }, place, ofCloud, overrides, isAllowed);
  if (fault !== undefined) outside.push({ ...fault, ...(fault.field === 'sizeGiB' ? { and: ['type'] } : {}) });
  else if (type !== undefined && !isAllowed(type))
    outside.push({
      field: 'type',
      value: type,
      ...(diskTypes === undefined ? {} : { limit: 'diskTypes' }),
      accepted: types.join(', '),
      meant: typo(type, typesOf(ofCloud), types),
    });
  if (encryptedDisks && !encrypted)
    outside.push({ field: 'encrypted', value: false, limit: 'encryptedDisks', accepted: 'true' });
  return outside;
}

/** What was meant by a name that nobody knows: one that exists was meant itself. */
function typo(wrote: string, known: readonly string[], offered: readonly string[]): string {
  return known.includes(wrote) ? '' : didYouMean(wrote, offered);
}

function typesOf(ofCloud: DiskTypes | undefined): readonly string[] {
  return [ofCloud?.root, ofCloud?.data].flatMap((types) => Object.keys(types ?? {}));
}

/**
 * What is accepted, and where the platform says so.
 * @param accepted empty: nothing @param limit undefined: the platform does not say it
 * @param input its name in messages @param meant ends the message
 */
export function withinLimit(accepted: string, limit: string | undefined, input: string, meant = ''): string {
  if (limit === undefined) return `${accepted}${meant}`;
  const where = `limits.${limit} in ${input}`;
  return `${accepted === '' ? `none, since ${where} allows none` : `${accepted} (${where})`}${meant}`;
}

/** @param names  of the catalog */
function isOutside(
  value: string | undefined,
  limit: readonly string[] | undefined,
  names: readonly string[],
): value is string {
  if (value === undefined || limit === undefined) return false;
  if (limit.includes(ALL_OF_CATALOG) && names.includes(value)) return false;
  return !limit.some((pattern) => isLike(value, pattern));
}

/** The names of the catalog that the limit allows. */
function offeredBy(limit: readonly string[] = [], names: readonly string[]): readonly string[] {
  const isAll = limit.includes(ALL_OF_CATALOG);
  return names.filter((name) => isAll || limit.some((pattern) => isLike(name, pattern)));
}

/** The names of the catalog that the limit allows, and the patterns that allow others. */
function allowed(limit: readonly string[] = [], names: readonly string[]): string {
  const offered = offeredBy(limit, names);
  const others = limit.filter(
    (pattern) => pattern !== ALL_OF_CATALOG && !offered.some((name) => isLike(name, pattern)),
  );
  return [...(offered.length === 0 ? [] : [listed(offered)]), ...others].join(', ');
}
