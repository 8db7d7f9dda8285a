/**
 * What a platform lets claims choose of a machine, in the input of the steps that judge claims: the control plane of a
 * Cluster and the machines of a pool have the same limits.
 */
import { z } from 'zod';
import type { MachineTemplate } from '#lib/api/fields/machine-template.ts';
import type { Json } from '#lib/api/json.ts';
import { isLike } from '#lib/api/pattern.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { listed } from './asked.ts';
import type { Catalog } from './catalog.ts';
import type { DiskTypes, NativeNames } from './native-names.ts';

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
    'Values that claims may give to the type of a disk; * stands for any text. Default: the types of the cloud that this release knows.',
  ),
  encryptedDisks: z.boolean().default(false).describe('Whether disks must be encrypted.'),
};

type MachineLimits = z.output<z.ZodObject<typeof MACHINE_LIMITS>>;
type Machine = Pick<MachineTemplate, 'class' | 'instanceType' | 'image' | 'rootDisk' | 'dataDisks'>;

/** A choice outside the limits. */
export interface Outside {
  /** Of the machine: what is compared with one that exists. */
  readonly field: readonly string[];
  /** All that is in that field. @default value */
  readonly kept?: Json;
  /** The field as messages name it. @default the same field */
  readonly shown?: string;
  readonly value: Json;
  readonly limit: keyof MachineLimits;
  /** The release says it and not the platform: what has it already may grow, as it could before. */
  readonly isOfRelease?: boolean;
  readonly accepted: string;
  /** Which name was probably meant, to end the message with. */
  readonly meant?: string;
}

/**
 * Every choice outside, in the order of the fields.
 * @param names  of the cloud; undefined: not known, so that disks may have any type
 */
export function outsideLimits(
  { class: size, instanceType, image, rootDisk, dataDisks = [] }: Machine,
  { sizes, images, ...ofDisks }: MachineLimits,
  catalog: Pick<Catalog, 'classes' | 'images'>,
  names: NativeNames | undefined,
): readonly Outside[] {
  const classes = Object.keys(catalog.classes);
  const named = [...new Set(Object.keys(catalog.images).map((key) => key.split('/v')[0] ?? key))];
  const outside: Outside[] = [];
  if (isOutside(size, sizes, classes))
    outside.push({
      field: ['class'],
      value: size,
      limit: 'sizes',
      accepted: allowed(sizes, classes),
      meant: didYouMean(size, offeredBy(sizes, classes)),
    });
  if (isOutside(instanceType, sizes, []))
    outside.push({ field: ['instanceType'], value: instanceType, limit: 'sizes', accepted: allowed(sizes, []) });
  if (isOutside(image, images, named))
    outside.push({
      field: ['image'],
      value: image,
      limit: 'images',
      accepted: allowed(images, named),
      meant: didYouMean(image, offeredBy(images, named)),
    });
  const { root, data }: Partial<DiskTypes> = names?.diskTypes ?? {};
  const inRoot = outsideDisk(rootDisk, ofDisks, root).map(({ name, ...one }) => ({
    ...one,
    field: ['rootDisk', name],
  }));
  const kept: Json = dataDisks.map((disk) => ({ ...disk }));
  const inData = dataDisks.flatMap((disk, index) =>
    outsideDisk(disk, ofDisks, data).map(({ name, ...one }) => ({
      ...one,
      field: ['dataDisks'],
      kept,
      shown: `dataDisks[${index}].${name}`,
    })),
  );
  return [...outside, ...inRoot, ...inData];
}

interface Disk {
  readonly sizeGiB: number;
  readonly type?: string | undefined;
  readonly encrypted: boolean;
}

type OutsideDisk = Omit<Outside, 'field' | 'kept' | 'shown'> & { readonly name: string };

/** @param known  types that the cloud has */
function outsideDisk(
  { sizeGiB, type, encrypted }: Disk,
  { diskSizeGiB, diskTypes, encryptedDisks }: Pick<MachineLimits, 'diskSizeGiB' | 'diskTypes' | 'encryptedDisks'>,
  known: readonly string[] = [ANY],
): readonly OutsideDisk[] {
  const outside: OutsideDisk[] = [];
  if (diskSizeGiB !== undefined && sizeGiB > diskSizeGiB) {
    const accepted = `at most ${diskSizeGiB}`;
    outside.push({ name: 'sizeGiB', value: sizeGiB, limit: 'diskSizeGiB', accepted });
  }
  const types = diskTypes ?? known;
  if (type !== undefined && !types.some((pattern) => isLike(type, pattern)))
    outside.push({
      name: 'type',
      value: type,
      limit: 'diskTypes',
      isOfRelease: diskTypes === undefined,
      accepted: types.join(', '),
      meant: didYouMean(type, types),
    });
  if (encryptedDisks && !encrypted)
    outside.push({ name: 'encrypted', value: false, limit: 'encryptedDisks', accepted: 'true' });
  return outside;
}

/**
 * What is accepted, and where the platform says so.
 * @param accepted empty: nothing @param input its name in messages @param meant ends the message
 */
export function withinLimit(accepted: string, limit: string, input: string, meant = ''): string {
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
