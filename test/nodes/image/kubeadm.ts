/** The images of machines of kubeadm: the programs of one release of Kubernetes, and container images to import. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { updaterImage } from '../../../package/build/updater-image.ts';
import { built, cacheOf } from '../../e2e/binaries/find.ts';
import { programArchive } from './archive.ts';
import { imageOf } from './image.ts';
import { layPackages } from './packages.ts';
import {
  inPods,
  NEW,
  OLD,
  onMachines,
  OURS_IN_PODS,
  ownProgram,
  programsBuilt,
  type Release,
  tagOf,
} from './programs.ts';

/** Where claims find the container images; only a command of the claim imports them. */
const ARCHIVES = 'opt/images';
/** Images of the release to which a machine is updated. */
export const NEXT_ARCHIVES = 'opt/next-images';

/** As in the claim. */
const REPOSITORY = 'images.example.com';
/** Of the pod that runs updaters. */
export const UPDATER = `${REPOSITORY}/node-updater:1`;

/** The root folder for machines of a version, each created once. Throws MissingError, in one line, if there is none. */
export async function kubeadmImages(progress: (line: string) => void): Promise<(version: string) => string> {
  programsBuilt(progress);
  const folders = new Map<string, string>();
  for (const release of [OLD, NEW]) folders.set(release.version, await imageOfRelease(release, progress));
  return (version) => {
    const folder = folders.get(version);
    if (folder === undefined)
      throw new Error(`cannot boot ${version}: there are images of ${[...folders.keys()].join()}`);
    return folder;
  };
}

function imageOfRelease(release: Release, progress: (line: string) => void): Promise<string> {
  const programs = [OLD, NEW].map(({ module }) => cacheOf(module)).join();
  const layOver = (root: string): Promise<void> => layOverRoot(root, release);
  return imageOf({ of: `kubeadm-${release.version}`, programs, layOver }, progress);
}

async function layOverRoot(root: string, release: Release): Promise<void> {
  cpSync(join(import.meta.dirname, 'root-of-kubeadm'), root, { recursive: true });
  for (const program of onMachines(release)) copyFileSync(built(program), join(root, 'usr/bin', program.name));
  mkdirSync(join(root, ARCHIVES), { recursive: true });
  for (const { name, tag } of OURS_IN_PODS) await layArchive(root, ARCHIVES, { name, tag, file: ownProgram(name) });
  writeFileSync(join(root, ARCHIVES, 'node-updater.tar'), (await updaterImage(UPDATER)).tar);
  await layPods(root, ARCHIVES, release);
  if (release === NEW) return;
  await layPods(root, NEXT_ARCHIVES, NEW);
  layPackages(root, NEW);
}

async function layPods(root: string, folder: string, release: Release): Promise<void> {
  mkdirSync(join(root, folder), { recursive: true });
  for (const program of inPods(release))
    await layArchive(root, folder, { name: program.name, tag: tagOf(program, release), file: built(program) });
}

interface Archived {
  readonly name: string;
  readonly tag: string;
  readonly file: string;
}

async function layArchive(root: string, folder: string, { name, tag, file }: Archived): Promise<void> {
  const archive = await programArchive(`${REPOSITORY}/${name}:${tag}`, name, readFileSync(file));
  writeFileSync(join(root, folder, `${name}.tar`), archive);
}
