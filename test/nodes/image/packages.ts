/** The package repository of a release, in a folder of the machine: what an update installs from. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '#lib/api/names.ts';
import { built } from '../../e2e/binaries/find.ts';
import { runCommand } from '../../judges/run.ts';
import { onMachines, type Release } from './programs.ts';

const FOLDER = 'opt/packages';
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;

export function layPackages(root: string, release: Release): void {
  const { version } = release;
  const folder = join(root, FOLDER);
  mkdirSync(folder, { recursive: true });
  const index = onMachines(release).map((program) => {
    const { name } = program;
    const control = [
      `Package: ${name}`,
      `Version: ${version.slice(1)}-1.1`, // as the packages of Kubernetes are versioned
      `Architecture: ${ARCHITECTURE}`,
      'Maintainer: test <test@example.com>',
      `Description: ${name} of Kubernetes ${version}`,
      '',
    ].join('\n');
    const file = `${name}.deb`;
    build(control, name, built(program), join(folder, file));
    const bytes = readFileSync(join(folder, file));
    return `${control}Filename: ./${file}\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}\n`;
  });
  writeFileSync(join(folder, 'Packages'), index.join('\n'));
  // Nothing else answers in the network of the machines.
  rmSync(join(root, 'etc/apt/sources.list.d'), { recursive: true, force: true });
  writeFileSync(join(root, 'etc/apt/sources.list'), `deb [trusted=yes] file:/${FOLDER} ./\n`);
}

function build(control: string, name: string, program: string, target: string): void {
  const draft = mkdtempSync(join(tmpdir(), 'slipway-package-'));
  try {
    for (const path of ['DEBIAN', 'usr/bin']) mkdirSync(join(draft, path), { recursive: true, mode: 0o755 });
    writeFileSync(join(draft, 'DEBIAN/control'), control);
    copyFileSync(program, join(draft, 'usr/bin', name));
    const made = runCommand('dpkg-deb', ['--root-owner-group', '-Znone', '--build', draft, target]);
    if (!made.ok) throw new Error(`cannot make package ${name}: ${made.output.trim()}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
