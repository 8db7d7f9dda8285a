/**
 * The image of the pod that runs updaters on a Node. It has no program: its folders are links to those of the host, which
 * the pod mounts at /host, so that `sh` and `nsenter` are the host's own. One layer serves every architecture. It is an
 * OCI layout in a tar, uncompressed inside, so that its digest is the same wherever it is built and pushed.
 */
import { sha256 } from '#lib/api/names.ts';
import { canonical, type Json } from '#lib/api/json.ts';
import type { Architecture } from './image.ts';
import { type Entry, tarOf } from './layer.ts';

export interface UpdaterImage {
  /** sha256:… of the index, which a registry keeps. */
  readonly digest: string;
  readonly tar: Uint8Array;
}

const ARCHITECTURES: readonly Architecture[] = ['amd64', 'arm64'];
const LINKS = ['bin', 'lib', 'lib64', 'sbin', 'usr'] as const;
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const MEDIA = 'application/vnd.oci.image';

interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly content: Uint8Array;
}

/** @param name  that an index may give it, for container runtimes which import it; the digest is the same without one */
export async function updaterImage(name?: string): Promise<UpdaterImage> {
  const layer = blob(
    `${MEDIA}.layer.v1.tar`,
    await tarOf([
      ...['etc', 'host', 'scripts'].map((path): Entry => ({ path, mode: 0o755 })),
      ...LINKS.map((path): Entry => ({ path, mode: 0o777, linkTo: `host/${path}` })),
      { path: 'etc/ld.so.cache', mode: 0o777, linkTo: '/host/etc/ld.so.cache' },
    ]),
  );
  const images = ARCHITECTURES.map((architecture) => imageOf(architecture, layer));
  const index = blob(
    `${MEDIA}.index.v1+json`,
    json({
      schemaVersion: 2,
      mediaType: `${MEDIA}.index.v1+json`,
      manifests: images.map(({ architecture, manifest }) => ({
        ...described(manifest),
        platform: { architecture, os: 'linux' },
      })),
    }),
  );
  const annotations = name === undefined ? {} : { annotations: { 'io.containerd.image.name': name } };
  const root = { schemaVersion: 2, manifests: [{ ...described(index), ...annotations }] };
  const blobs = [layer, ...images.flatMap(({ config, manifest }) => [config, manifest]), index];
  const tar = await tarOf([
    { path: 'oci-layout', mode: 0o644, content: json({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', mode: 0o644, content: json(root) },
    ...blobs.map(({ digest, content }) => ({ path: `blobs/${digest.replace(':', '/')}`, mode: 0o644, content })),
  ]);
  return { digest: index.digest, tar };
}

function imageOf(architecture: Architecture, layer: Blob) {
  const config = blob(
    `${MEDIA}.config.v1+json`,
    json({
      architecture,
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: { Env: [PATH], Entrypoint: ['sh'] },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    }),
  );
  const mediaType = `${MEDIA}.manifest.v1+json`;
  const parts = { config: described(config), layers: [described(layer)] };
  return { architecture, config, manifest: blob(mediaType, json({ schemaVersion: 2, mediaType, ...parts })) };
}

function described({ mediaType, digest, content }: Blob): { readonly [key: string]: Json } {
  return { mediaType, digest, size: content.length };
}

function blob(mediaType: string, content: Uint8Array): Blob {
  return { mediaType, digest: `sha256:${sha256(content)}`, content };
}

function json(value: Json): Uint8Array {
  return Buffer.from(canonical(value));
}
