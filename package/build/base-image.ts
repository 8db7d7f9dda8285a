/**
 * The layer below every function: Node and the C and C++ libraries it needs, nothing else; no shell. For
 * machines that cannot pull a base image. Published images are built on distroless by package/runtime/Dockerfile.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './image.ts';
import { type Entry, type Layer, layer } from './layer.ts';
import { baseComponents, type Component } from './sbom.ts';

const NPM_ARCHITECTURE = { amd64: 'x64', arm64: 'arm64' } as const;
const LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6', 'gcc-12-base'] as const;

/** In the cache: names and versions of the library packages. Written last. */
const LIBRARY_LIST = 'libraries.txt';

/** Where Node is inside the image. */
export const NODE_PATH = '/nodejs/bin/node';

export interface Base {
  readonly layer: Layer;
  readonly components: readonly Component[];
}

/**
 * The base layer, from the npm package of Node's binary and from Debian's library packages, both kept in a cache.
 * @param cache folder for downloads; made when missing
 */
export async function baseLayer(root: string, cache: string, architecture: Architecture): Promise<Base> {
  const folder = join(cache, architecture);
  mkdirSync(folder, { recursive: true });
  const node = nodeVersion(root);
  const content = await layer([
    ...nodeEntries(node, folder, architecture),
    ...libraryEntries(folder, architecture),
    ...identityEntries(),
  ]);
  return {
    layer: content,
    components: baseComponents(node, readFileSync(join(folder, LIBRARY_LIST), 'utf8'), architecture),
  };
}

/** The version of Node in images. */
export function nodeVersion(root: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { node: string };
  };
  return devDependencies.node;
}

function nodeEntries(node: string, folder: string, architecture: Architecture): readonly Entry[] {
  const unpacked = join(folder, `node-${node}`);
  if (!existsSync(join(unpacked, 'bin', 'node'))) {
    const spec = `node-linux-${NPM_ARCHITECTURE[architecture]}@${node}`;
    const archive = execFileSync('npm', ['pack', '--silent', spec], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    mkdirSync(unpacked, { recursive: true });
    execFileSync('tar', [
      '-xzf',
      join(folder, archive),
      '-C',
      unpacked,
      '--strip-components=1',
      'package/bin/node',
      'package/LICENSE',
    ]);
    rmSync(join(folder, archive));
  }
  return [
    { path: NODE_PATH.slice(1), mode: 0o755, content: readFileSync(join(unpacked, 'bin', 'node')) },
    { path: 'nodejs/LICENSE', mode: 0o644, content: readFileSync(join(unpacked, 'LICENSE')) },
  ];
}

/** Shared objects and licences of the library packages; their other files are left out. */
function libraryEntries(folder: string, architecture: Architecture): readonly Entry[] {
  const unpacked = join(folder, 'libraries');
  if (!existsSync(join(folder, LIBRARY_LIST))) {
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked, { recursive: true });
    const apt = aptOptions(folder, architecture);
    execFileSync('apt-get', [...apt, 'update'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const versions = LIBRARIES.map((name) => downloadDebianPackage(name, apt, unpacked));
    writeFileSync(join(folder, LIBRARY_LIST), versions.join('\n'));
  }
  return filesBelow(unpacked, '').filter(({ path }) => /\.so(\.[0-9.]+)?$/.test(path) || path.endsWith('/copyright'));
}

/**
 * apt with package lists of its own, so that another architecture can be asked for and the machine's lists stay as they
 * are.
 */
function aptOptions(folder: string, architecture: Architecture): readonly string[] {
  const state = join(folder, 'apt');
  mkdirSync(join(state, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(state, 'cache', 'archives', 'partial'), { recursive: true });
  writeFileSync(join(state, 'status'), '');
  const settings = {
    'Dir::State': state,
    'Dir::State::status': join(state, 'status'),
    'Dir::Cache': join(state, 'cache'),
    'APT::Architecture': architecture,
    'APT::Architectures::': architecture,
    'APT::Sandbox::User': 'root',
  };
  return ['-qq', ...Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`])];
}

/** @returns its name and version */
function downloadDebianPackage(name: string, apt: readonly string[], target: string): string {
  execFileSync('apt-get', [...apt, 'download', name], { cwd: target, stdio: ['ignore', 'ignore', 'pipe'] });
  const archive = readdirSync(target).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
  if (archive === undefined) throw new Error(`cannot unpack Debian package "${name}": apt-get download left no file`);
  execFileSync('dpkg', ['-x', join(target, archive), target]);
  rmSync(join(target, archive));
  return `${name} ${decodeURIComponent(archive.split('_')[1] ?? '')}`;
}

function filesBelow(root: string, path: string): readonly Entry[] {
  return readdirSync(join(root, path)).flatMap((name) => {
    const here = path === '' ? name : `${path}/${name}`;
    const stat = lstatSync(join(root, here));
    if (stat.isDirectory()) return filesBelow(root, here);
    if (stat.isSymbolicLink()) return [{ path: here, mode: 0o777, linkTo: readlinkSync(join(root, here)) }];
    return [{ path: here, mode: stat.mode & 0o777, content: readFileSync(join(root, here)) }];
  });
}

/** Crossplane runs functions as uid 2000. */
function identityEntries(): readonly Entry[] {
  return [
    {
      path: 'etc/passwd',
      mode: 0o644,
      content: Buffer.from('root:x:0:0:root:/:/nonexistent\nslipway:x:2000:2000:slipway:/:/nonexistent\n'),
    },
    { path: 'etc/group', mode: 0o644, content: Buffer.from('root:x:0:\nslipway:x:2000:\n') },
    { path: 'tmp', mode: 0o1777 },
  ];
}
