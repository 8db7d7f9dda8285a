/**
 * What a claim asks a cloud for, judged by the catalog: the instance type and the image that its words come to, or the
 * field that is at fault. Cluster, NodePool and Machine are judged by the same lines.
 */
import { own } from '#lib/api/json.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import { ARCHITECTURES, type Architecture, architectureIn, fits } from './architecture.ts';
import type { Catalog } from './catalog.ts';
import { architectureOf, keysFor, partsOf, withoutArchitecture } from './image-keys.ts';
import type { NativeName, NativeNames } from './native-names.ts';

/** The words of a claim. */
export interface Asked {
  readonly class?: string | undefined;
  readonly instanceType?: string | undefined;
  readonly image?: string | undefined;
  readonly version: string;
}

export interface Fault {
  readonly field: 'class' | 'instanceType' | 'image' | 'version' | 'region';
  readonly value: unknown;
  readonly accepted: string;
  /** Whether another size would have the image. */
  readonly bySize?: boolean;
}

type Sizes = Pick<Catalog, 'classes'>;
type Images = Pick<Catalog, 'classes' | 'images' | 'defaultImage'>;

export function instanceTypeOf({ class: size = '', instanceType }: Omit<Asked, 'version'>, { classes }: Sizes): string {
  return instanceType ?? own(classes, size) ?? size;
}

/** @param names undefined: of a cloud whose names are not known, all are taken as they are */
export function sizeFault(asked: Asked, { classes }: Sizes, names: NativeNames | undefined): Fault | undefined {
  if (names === undefined) return undefined;
  const { class: size, instanceType } = asked;
  if (instanceType !== undefined)
    return names.instanceType.pattern.test(instanceType)
      ? undefined
      : { field: 'instanceType', value: instanceType, accepted: names.instanceType.accepted };
  if (size === undefined || own(classes, size) !== undefined || names.instanceType.pattern.test(size)) return undefined;
  const known = Object.keys(classes);
  // A step of an older Composition has no table: the machine step has one, and judges by it.
  if (known.length === 0) return undefined;
  return { field: 'class', value: size, accepted: orNative(size, known, names.instanceType) };
}

/** The id of the image; undefined if the catalog has none that boots on the size, for this version in this region. */
export function imageOf(asked: Asked, catalog: Images, region: string, names?: NativeNames): string | undefined {
  return imageFor(asked, catalog, region, names, sizeArchitecture(asked, catalog, names));
}

function sizeArchitecture(asked: Asked, catalog: Sizes, names: NativeNames | undefined): Architecture | undefined {
  return names?.architectureOf?.(instanceTypeOf(asked, catalog));
}

/** @param architecture undefined: any */
function imageFor(
  { image, version }: Asked,
  catalog: Images,
  region: string,
  names: NativeNames | undefined,
  architecture: Architecture | undefined,
): string | undefined {
  const name = image ?? catalog.defaultImage;
  if (name === undefined) return undefined;
  if (names?.image.pattern.test(name) === true) return fits(architectureIn(name), architecture) ? name : undefined;
  const found = keysFor(name, version, architecture).map((key) => imageIn(catalog, key, region, names, architecture));
  return found.find((id) => id !== undefined);
}

function imageIn(
  { images }: Images,
  key: string,
  region: string,
  names: NativeNames | undefined,
  architecture: Architecture | undefined,
): string | undefined {
  const byRegion = own(images, key) ?? {};
  const { everywhere } = names ?? {};
  const id = own(byRegion, region) ?? (everywhere === undefined ? undefined : own(byRegion, everywhere));
  return id !== undefined && fits(architectureOf(key, id), architecture) ? id : undefined;
}

/** The name of the region in the cloud. */
export function regionOf(word: string, { regions }: Pick<Catalog, 'regions'>): string {
  return own(regions, word) ?? word;
}

export function regionFault(
  word: string,
  catalog: Pick<Catalog, 'regions'>,
  names: NativeNames | undefined,
): Fault | undefined {
  if (names === undefined || names.region.pattern.test(regionOf(word, catalog))) return undefined;
  return {
    field: 'region',
    value: word,
    accepted: orNative(word, Object.keys(catalog.regions), names.region),
  };
}

/**
 * Why there is no image: the version, if the image exists for others in this region; the region, if the claim leaves the
 * image to the platform and it exists in others; else the image. One that does not boot on the size is none.
 * @param catalog  with regions only for a claim that names its region
 */
export function imageFault(
  asked: Asked,
  catalog: Images & Partial<Pick<Catalog, 'regions'>>,
  region: string,
  names: NativeNames | undefined,
): Fault | undefined {
  if (imageOf(asked, catalog, region, names) !== undefined) return undefined;
  const { image, version } = asked;
  const name = image ?? catalog.defaultImage;
  const architecture = sizeArchitecture(asked, catalog, names);
  const bySize = ARCHITECTURES.some((other) => imageFor(asked, catalog, region, names, other) !== undefined);
  const here = Object.keys(catalog.images).filter(
    (key) => imageIn(catalog, key, region, names, architecture) !== undefined,
  );
  if (name !== undefined && !bySize) {
    const ofName = here.map(partsOf).filter((key) => key.name === name);
    const versions = [...new Set(ofName.flatMap((key) => key.version ?? []))];
    if (versions.length > 0)
      return {
        field: 'version',
        value: version,
        accepted: `${listed(versions)}, which have an image ${name} in ${region}`,
      };
    const elsewhere =
      catalog.regions === undefined ? [] : regionsWith(catalog, keysFor(name, version, architecture), architecture);
    if (image === undefined && elsewhere.length > 0)
      return {
        field: 'region',
        value: region,
        accepted: `${listed(elsewhere)}, which have an image ${name} for ${version}; the Composition maps none in ${region}`,
      };
  }
  const place = bySize ? `${region} for ${architecture}, which ${instanceTypeOf(asked, catalog)} has` : region;
  // Of the name itself there are other versions at most.
  const words = here.map((key) => (partsOf(key).name === name ? withoutArchitecture(key) : partsOf(key).name));
  const fitting = [...new Set(words)].toSorted(byName);
  return {
    field: 'image',
    value: name,
    accepted: `${fittingImages(fitting, place, names?.image.accepted)}${didYouMean(image, fitting)}`,
    bySize,
  };
}

function fittingImages(fitting: readonly string[], place: string, native: string | undefined): string {
  if (fitting.length === 0) return `${native ?? 'none'}; the Composition maps no image in ${place}`;
  const mapped = `${listed(fitting)}, which the Composition maps in ${place}`;
  return native === undefined ? mapped : `${mapped}, or ${native}`;
}

/** Regions with an image under one of the keys, by the words of claims where there are some. */
function regionsWith(
  { images, regions = {} }: Images & Partial<Pick<Catalog, 'regions'>>,
  keys: readonly string[],
  architecture: Architecture | undefined,
): readonly string[] {
  const all = keys.flatMap((key) =>
    Object.entries(own(images, key) ?? {}).flatMap(([region, id]) =>
      fits(architectureOf(key, id), architecture) ? [region] : [],
    ),
  );
  const word = (region: string): string => Object.keys(regions).find((one) => regions[one] === region) ?? region;
  return [...new Set(all.map(word))].toSorted(byName);
}

/** At most this many names: a message is a line. */
const MOST = 16;

/** Sorted. */
export function listed(names: readonly string[]): string {
  const sorted = names.toSorted(byName);
  const more = sorted.length - MOST;
  return [...sorted.slice(0, MOST), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function orNative(wrote: string, names: readonly string[], native: NativeName): string {
  const meant =
    didYouMean(wrote, names) ||
    didYouMean(
      wrote,
      spellings(wrote).filter((one) => native.pattern.test(one)),
    );
  return `${names.length === 0 ? '' : `${listed(names)}, or `}${native.accepted}${meant}`;
}

/** As consoles of clouds show a name: West Europe. */
function spellings(wrote: string): readonly string[] {
  const plain = wrote.trim().toLowerCase();
  return [plain, plain.replaceAll(/[\s_]+/g, '-'), plain.replaceAll(/[\s_]+/g, '')];
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
