/** An OCI image as bytes, and the .xpkg file that `crossplane xpkg push` takes. */
import { sha256 } from '#lib/api/names.ts';
import { canonical } from '#lib/api/json.ts';
import { type Layer, tarOf } from './layer.ts';

export type Architecture = 'amd64' | 'arm64';

/** How a container of the image starts; a package without code has none. */
export interface Runtime {
  readonly entrypoint: readonly string[];
  readonly user: string;
  readonly workingDir: string;
  readonly env: readonly string[];
}

export interface Image {
  readonly architecture: Architecture;
  readonly config: Uint8Array;
  readonly configDigest: string;
  readonly layers: readonly Layer[];
}

/** Crossplane finds the package's own layer by this annotation; inside a tarball a label stands for it. */
export const XPKG_ANNOTATION = 'io.crossplane.xpkg';

/** `version` is what `docker inspect` and scanners read; nothing of Slipway does. */
export function image(
  layers: readonly Layer[],
  architecture: Architecture,
  runtime?: Runtime,
  version?: string,
): Image {
  const packageLabels = Object.fromEntries(
    layers.flatMap(({ digest, annotation }) =>
      annotation === undefined ? [] : [[`${XPKG_ANNOTATION}:${digest}`, annotation]],
    ),
  );
  const labels = {
    ...packageLabels,
    ...(version === undefined ? {} : { 'org.opencontainers.image.version': version }),
  };
  const config = Buffer.from(
    canonical({
      architecture,
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: {
        Labels: labels,
        ...(runtime === undefined
          ? {}
          : {
              Entrypoint: [...runtime.entrypoint],
              User: runtime.user,
              WorkingDir: runtime.workingDir,
              Env: [...runtime.env],
              ExposedPorts: { '9443/tcp': {} },
            }),
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(() => ({ created: '1970-01-01T00:00:00Z', created_by: 'slipway package' })),
    }),
  );
  return { architecture, config, configDigest: `sha256:${sha256(config)}`, layers };
}

const fileOf = (digest: string): string => `${digest.replace('sha256:', '')}.tar.gz`;

/** The image as the tarball `docker save` would write, which is what an .xpkg file is. */
export async function xpkg(packaged: Image): Promise<Uint8Array> {
  const { config, configDigest, layers } = packaged;
  const manifest = [{ Config: configDigest, RepoTags: null, Layers: layers.map(({ digest }) => fileOf(digest)) }];
  const blobs = new Map(layers.map(({ digest, gzipped }) => [fileOf(digest), gzipped]));
  return tarOf([
    { path: configDigest, mode: 0o644, content: config },
    ...[...blobs].map(([path, content]) => ({ path, mode: 0o644, content })),
    { path: 'manifest.json', mode: 0o644, content: Buffer.from(JSON.stringify(manifest)) },
  ]);
}
