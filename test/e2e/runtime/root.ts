/** The layers of an image from the registry, merged in a folder: the root file system of a container. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from '../lab/registry.ts';

export interface Root {
  readonly folder: string;
  readonly entrypoint: readonly string[];
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
}

interface ImageConfig {
  readonly config?: {
    readonly Entrypoint?: readonly string[];
    readonly User?: string;
    readonly Env?: readonly string[];
  };
}

/** `image` is `host/org/name@sha256:…` or has a tag. Each layer is unpacked once, and files are hard-linked. */
export async function rootOf(registry: Registry, image: string, layers: string, folder: string): Promise<Root> {
  const { repository, reference } = parts(image);
  const manifest = await registry.manifest(repository, reference);
  const text = (await registry.blob(repository, manifest.config.digest)).toString('utf8');
  const { config = {} } = JSON.parse(text) as ImageConfig;
  if (!existsSync(folder)) {
    mkdirSync(`${folder}.part`, { recursive: true });
    for (const { digest } of manifest.layers) {
      const unpacked = await layerOf(registry, repository, digest, layers);
      execFileSync('cp', ['-al', `${unpacked}/.`, `${folder}.part/`]);
    }
    renameSync(`${folder}.part`, folder);
  }
  return {
    folder,
    entrypoint: config.Entrypoint ?? [],
    user: config.User ?? '0',
    env: Object.fromEntries((config.Env ?? []).map((pair) => [pair.split('=')[0] ?? '', pair.replace(/^[^=]*=/, '')])),
  };
}

/** By folder, because functions start at the same time and share most of their layers. */
const unpacking = new Map<string, Promise<string>>();

function layerOf(registry: Registry, repository: string, digest: string, layers: string): Promise<string> {
  const folder = join(layers, digest.replace(':', '-'));
  const known = unpacking.get(folder) ?? unpack(registry, repository, digest, folder);
  unpacking.set(folder, known);
  return known;
}

async function unpack(registry: Registry, repository: string, digest: string, folder: string): Promise<string> {
  mkdirSync(`${folder}.part`, { recursive: true });
  const archive = `${folder}.tar.gz`;
  writeFileSync(archive, await registry.blob(repository, digest));
  execFileSync('tar', ['-xzf', archive, '-C', `${folder}.part`]);
  rmSync(archive);
  renameSync(`${folder}.part`, folder);
  return folder;
}

/** `localhost:5000/slipway/function-x@sha256:…` → `slipway/function-x` and `sha256:…`. */
export function parts(image: string): { readonly repository: string; readonly reference: string } {
  const path = image.slice(image.indexOf('/') + 1);
  const [repository = '', digest] = path.split('@');
  if (digest !== undefined) return { repository: repository.replace(/:[^/:]+$/, ''), reference: digest };
  const colon = path.lastIndexOf(':');
  return { repository: path.slice(0, colon), reference: path.slice(colon + 1) };
}
