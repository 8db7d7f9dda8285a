/** An image layer from a list of entries: the same entries give the same bytes on every machine. */
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { sha256 } from '#lib/api/names.ts';

export interface Entry {
  /** Without a leading slash. */
  readonly path: string;
  readonly mode: number;
  /** A file's bytes, or where a symbolic link points. Neither: a directory. */
  readonly content?: Uint8Array;
  readonly linkTo?: string;
}

export interface Layer {
  readonly gzipped: Uint8Array;
  /** sha256:… of the gzipped bytes: how registries call the layer. */
  readonly digest: string;
  /** sha256:… of the tar: how the image configuration calls it. */
  readonly diffId: string;
  /** The layer's meaning to Crossplane; `base` holds package.yaml. */
  readonly annotation?: string;
}

const EPOCH = new Date(0);

/** Packs entries sorted by path, parents added, owned by root, dated 1970. Everything is readable by uid 2000. */
export async function layer(entries: readonly Entry[], annotation?: string): Promise<Layer> {
  const tar = await tarOf(withParents(entries));
  const gzipped = gzipSync(tar, { level: 6 });
  gzipped[9] = 255; // the gzip header's operating system byte: "unknown", so that every machine writes the same
  return {
    gzipped,
    digest: `sha256:${sha256(gzipped)}`,
    diffId: `sha256:${sha256(tar)}`,
    ...(annotation === undefined ? {} : { annotation }),
  };
}

function withParents(entries: readonly Entry[]): readonly Entry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { path } of entries) {
    const steps = path.split('/');
    for (let depth = 1; depth < steps.length; depth += 1) {
      const parent = steps.slice(0, depth).join('/');
      if (!byPath.has(parent)) byPath.set(parent, { path: parent, mode: 0o755 });
    }
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A plain tar of entries in the order given. */
export async function tarOf(entries: readonly Entry[]): Promise<Uint8Array> {
  const archive = pack();
  for (const { path, mode, content, linkTo } of entries) {
    const header = { name: path, mode, mtime: EPOCH, uid: 0, gid: 0 };
    if (linkTo !== undefined) archive.entry({ ...header, type: 'symlink', linkname: linkTo });
    else if (content === undefined) archive.entry({ ...header, type: 'directory' });
    else archive.entry({ ...header, type: 'file' }, Buffer.from(content));
  }
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
