/** The image of machines of kubeadm: the programs of Kubernetes, and container images to import. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { updaterImage } from '../../../package/build/updater-image.ts';
import { built, cacheOf } from '../../e2e/binaries/find.ts';
import { programArchive } from './archive.ts';
import { imageOf } from './image.ts';
import { layPackages } from './packages.ts';
import { IN_PODS, NEXT, NEXT_IN_PODS, ON_MACHINES, OURS_IN_PODS, ownProgram, programsBuilt } from './programs.ts';

/** Where claims find the container images; only a command of the claim imports them. */
const ARCHIVES = 'opt/images';
/** Images of the next release. */
export const NEXT_ARCHIVES = 'opt/next-images';

/** As in the claim. */
const REPOSITORY = 'images.example.com';
/** Of the pod that runs updaters. */
export const UPDATER = `${REPOSITORY}/node-updater:1`;

/** Path of the root folder, created once. Throws MissingError, in one line, if it is not available. */
export async function kubeadmImage(progress: (line: string) => void): Promise<string> {
  programsBuilt(progress);
  return imageOf({ of: 'kubeadm', programs: cacheOf('kubernetes'), layOver }, progress);
}

async function layOver(root: string): Promise<void> {
  cpSync(join(import.meta.dirname, 'root-of-kubeadm'), root, { recursive: true });
  for (const program of ON_MACHINES) copyFileSync(built(program), join(root, 'usr/bin', program.name));
  mkdirSync(join(root, ARCHIVES), { recursive: true });
  const images = [
    ...IN_PODS.map(({ program, tag }) => ({ name: program.name, tag, file: built(program) })),
    ...OURS_IN_PODS.map((own) => ({ ...own, file: ownProgram(own.name) })),
  ];
  for (const { name, tag, file } of images)
    writeFileSync(
      join(root, ARCHIVES, `${name}.tar`),
      await programArchive(`${REPOSITORY}/${name}:${tag}`, name, readFileSync(file)),
    );
  writeFileSync(join(root, ARCHIVES, 'node-updater.tar'), (await updaterImage(UPDATER)).tar);
  mkdirSync(join(root, NEXT_ARCHIVES), { recursive: true });
  for (const { name, program } of NEXT_IN_PODS)
    writeFileSync(
      join(root, NEXT_ARCHIVES, `${name}.tar`),
      await programArchive(`${REPOSITORY}/${name}:${NEXT}`, name, readFileSync(built(program))),
    );
  layPackages(root);
}
