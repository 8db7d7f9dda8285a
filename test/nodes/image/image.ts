/**
 * The image that machines boot: Debian, the programs of Kubernetes, container images to import, and the files of root/.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '#lib/api/names.ts';
import { built, cacheOf } from '../../e2e/binaries/find.ts';
import { programArchive } from './archive.ts';
import { CACHE } from './cache.ts';
import { debianTar } from './debian.ts';
import { updaterImage } from '../../../package/build/updater-image.ts';
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
export async function machineImage(progress: (line: string) => void): Promise<string> {
  const tar = debianTar(progress);
  programsBuilt(progress);
  const folder = join(
    CACHE,
    `image-${sha256([basename(tar), cacheOf('kubernetes'), ...sources()].join('\0')).slice(0, 12)}`,
  );
  if (existsSync(folder)) return folder;
  const started = Date.now();
  progress('image of a machine …');
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  run('tar', '-xpf', tar, '-C', draft);
  await layOver(draft);
  renameSync(draft, folder);
  progress(`image of a machine made in ${Math.round((Date.now() - started) / 1000)} s`);
  return folder;
}

async function layOver(root: string): Promise<void> {
  cpSync(join(import.meta.dirname, 'root'), root, { recursive: true });
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
  // Each machine generates its own id at its first boot, and has no DNS server.
  for (const file of ['etc/machine-id', 'etc/resolv.conf']) writeFileSync(join(root, file), '');
  const early = join(root, 'etc/systemd/system/sysinit.target.wants');
  mkdirSync(early, { recursive: true });
  symlinkSync('../machine-cgroups.service', join(early, 'machine-cgroups.service'));
  run('systemctl', `--root=${root}`, 'enable', 'systemd-networkd.service');
}

/** What this folder adds: a changed file gives another image. */
function sources(): readonly string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).toSorted();
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot run ${program} ${args.join(' ')}: ${stderr.trim()}`);
}
