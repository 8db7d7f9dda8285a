/** Where each program is: in SLIPWAY_E2E_BIN, on PATH, or in the cache that build.ts fills. */
import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { sha256 } from '#lib/api/names.ts';
import {
  type CrossplaneVersion,
  type Folder,
  MANIFESTS,
  type Module,
  type Program,
  PROGRAMS,
  PROVIDER_HELM,
  PROVIDER_KUBERNETES,
  type ProgramName,
  inVersion,
} from './catalog.ts';

export const ROOT = join(import.meta.dirname, '../../..');
const CACHE = join(ROOT, '.cache/e2e');

/** Absolute paths. */
export type Binaries = Readonly<Record<ProgramName, string>> & {
  /** A folder with crds/, webhookconfigurations/ and chart.yaml. */
  readonly manifests: string;
  /** A folder with crds/ and crossplane.yaml. */
  readonly providerKubernetes: string;
  /** A folder with crds/ and crossplane.yaml. */
  readonly providerHelm: string;
};

export interface Found {
  readonly binaries: Binaries;
  /** One line for each program that was not found in the cache, so that users know which one ran. */
  readonly foreign: readonly string[];
}

/** The suite cannot run here, for a reason outside the tested code. */
export class MissingError extends Error {}

/** The folder for the programs of a module; another pinned version is another folder. */
export function cacheOf(module: Module): string {
  const folder = goFolder(module);
  const pins = ['go.mod', 'go.sum', ...sources(folder)].map((file) => readFileSync(join(folder, file), 'utf8'));
  return join(CACHE, 'bin', `${module}-${sha256(pins.join('\0')).slice(0, 12)}`);
}

export function goFolder(module: Module): string {
  return join(import.meta.dirname, 'go', module);
}

export function built(program: Program): string {
  return join(cacheOf(program.module), program.name);
}

export function builtFolder({ module, name }: Folder): string {
  return join(cacheOf(module), name);
}

/** Undefined when it is not available yet. */
export function find(program: Program): string | undefined {
  const given = process.env['SLIPWAY_E2E_BIN'];
  // The chart renderer only runs while manifests are created, and is never on PATH.
  const places = [...(given === undefined ? [] : [given]), ...(process.env['PATH'] ?? '').split(delimiter)];
  return [...places.map((place) => join(place, program.name)), built(program)].find(isExecutable);
}

export function findFolder(folder: Folder): string | undefined {
  const given = process.env['SLIPWAY_E2E_BIN'];
  const places = [...(given === undefined ? [] : [join(given, folder.name)]), builtFolder(folder)];
  return places.find((place) => existsSync(join(place, folder.last)));
}

export function missing(version: CrossplaneVersion): readonly Program[] {
  return PROGRAMS.filter(({ name }) => name !== 'crossplane-chart')
    .map((program) => inVersion(program, version))
    .filter((program) => find(program) === undefined);
}

export function missingFolders(version: CrossplaneVersion): readonly Folder[] {
  return [inVersion(MANIFESTS, version), PROVIDER_KUBERNETES, PROVIDER_HELM].filter(
    (folder) => findFolder(folder) === undefined,
  );
}

/** Throws MissingError when something is missing. */
export function binaries(version: CrossplaneVersion): Found {
  const manifests = findFolder(inVersion(MANIFESTS, version));
  const [providerKubernetes, providerHelm] = [findFolder(PROVIDER_KUBERNETES), findFolder(PROVIDER_HELM)];
  const absent = [...missing(version), ...missingFolders(version)].map(({ name }) => name);
  if (absent.length > 0 || manifests === undefined || providerKubernetes === undefined || providerHelm === undefined)
    throw new MissingError(`${absent.join(', ')} not found`);
  const rows = PROGRAMS.map((program): [ProgramName, string, string] => {
    const cached = built(inVersion(program, version));
    return [program.name, find(inVersion(program, version)) ?? cached, cached];
  });
  const foreign = rows.filter(([, file, cached]) => existsSync(file) && file !== cached);
  const programs = Object.fromEntries(rows) as Record<ProgramName, string>;
  return {
    binaries: { ...programs, manifests, providerKubernetes, providerHelm },
    foreign: foreign.map(([name, file]) => `${name}: ${file}`),
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Programs of our own, each in a folder with its name. */
function sources(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(name, 'main.go'))
    .filter((file) => existsSync(join(folder, file)));
}
