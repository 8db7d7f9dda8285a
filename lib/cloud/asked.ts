/**
 * What a claim asks a cloud for, judged by the catalog: the instance type and the image that its words come to, or the
 * field that is at fault. Cluster, NodePool and Machine are judged by the same lines.
 */
import { own } from '#lib/api/json.ts';
import { didYouMean } from '#lib/api/nearest.ts';
import type { Catalog } from './catalog.ts';
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
}

type Sizes = Pick<Catalog, 'classes'>;
type Images = Pick<Catalog, 'images' | 'defaultImage'>;

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

/** The id of the image; undefined if the catalog has none for this version in this region. */
export function imageOf({ image, version }: Asked, catalog: Images, region: string, names?: NativeNames) {
  const name = image ?? catalog.defaultImage;
  if (name === undefined || names?.image.pattern.test(name) === true) return name;
  const found = [`${name}/${version}`, name].map((key) => imageIn(catalog, key, region, names));
  return found.find((id) => id !== undefined);
}

function imageIn({ images }: Images, key: string, region: string, names: NativeNames | undefined): string | undefined {
  const byRegion = own(images, key) ?? {};
  const { everywhere } = names ?? {};
  return own(byRegion, region) ?? (everywhere === undefined ? undefined : own(byRegion, everywhere));
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
 * image to the platform and it exists in others; else the image.
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
  const here = Object.keys(catalog.images).filter((key) => imageIn(catalog, key, region, names) !== undefined);
  if (name !== undefined) {
    const versions = here.filter((key) => key.startsWith(`${name}/`)).map((key) => key.slice(name.length + 1));
    if (versions.length > 0)
      return {
        field: 'version',
        value: version,
        accepted: `${listed(versions)}, which have an image ${name} in ${region}`,
      };
    const elsewhere = catalog.regions === undefined ? [] : regionsWith(catalog, name, version);
    if (image === undefined && elsewhere.length > 0)
      return {
        field: 'region',
        value: region,
        accepted: `${listed(elsewhere)}, which have an image ${name} for ${version}; the Composition maps none in ${region}`,
      };
  }
  const fitting = [...new Set(here.map((key) => key.split('/v')[0] ?? key))].toSorted(byName);
  return {
    field: 'image',
    value: name,
    accepted: `${fittingImages(fitting, region, names?.image.accepted)}${didYouMean(image, fitting)}`,
  };
}

function fittingImages(fitting: readonly string[], region: string, native: string | undefined): string {
  if (fitting.length === 0) return `${native ?? 'none'}; the Composition maps no image in ${region}`;
  const mapped = `${listed(fitting)}, which the Composition maps in ${region}`;
  return native === undefined ? mapped : `${mapped}, or ${native}`;
}

/** Regions with an image for this version, by the words of claims where there are some. */
function regionsWith(
  { images, regions = {} }: Images & Partial<Pick<Catalog, 'regions'>>,
  name: string,
  version: string,
): readonly string[] {
  const all = [`${name}/${version}`, name].flatMap((key) => Object.keys(own(images, key) ?? {}));
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
