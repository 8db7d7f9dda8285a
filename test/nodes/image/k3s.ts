/** The image of machines of k3s: its program and its script, as somebody who builds an image puts them there. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArchive } from './archive.ts';
import { imageOf, run } from './image.ts';
import { k3sProgram } from './k3s-program.ts';
import { ownProgram, PAUSE } from './programs.ts';

/** Where the claim finds container images. */
const ARCHIVES = 'opt/images';

/** Path of the root folder, created once. Throws MissingError, in one line, if k3s is not built. */
export async function k3sImage(progress: (line: string) => void): Promise<string> {
  const { program, script, version } = k3sProgram();
  return imageOf({ of: 'k3s', programs: version, layOver: (root) => layOver(root, program, script) }, progress);
}

async function layOver(root: string, program: string, script: string): Promise<void> {
  const programs = join(root, 'usr/local/bin');
  copyFileSync(program, join(programs, 'k3s'));
  copyFileSync(script, join(root, 'opt/install.sh'));
  // Its releases unpack these from k3s, which was built without them: k3s itself by another name, and those of Debian.
  symlinkSync('k3s', join(programs, 'containerd'));
  for (const plugin of readdirSync(join(root, 'usr/lib/cni')))
    symlinkSync(`/usr/lib/cni/${plugin}`, join(programs, plugin));
  run('systemctl', `--root=${root}`, 'disable', 'containerd.service');
  mkdirSync(join(root, ARCHIVES), { recursive: true });
  const { name, tag } = PAUSE;
  const archive = await programArchive(`images.example.com/${name}:${tag}`, name, readFileSync(ownProgram(name)));
  writeFileSync(join(root, ARCHIVES, `${name}.tar`), archive);
}
