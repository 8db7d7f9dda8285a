/** The same configuration in specification 2.3, for images that support nothing newer. */
import type { Json, JsonObject } from '#lib/api/json.ts';
import type { Config, IgnitionFile, IgnitionFilesystem } from './config.ts';

/** Everything is written to the filesystem that Ignition calls root. */
const ROOT = { filesystem: 'root' } as const;

export function legacyConfig({ passwd, storage, systemd }: Config): JsonObject {
  const { disks, filesystems, files, links } = storage;
  return asJson({
    ignition: { version: '2.3.0' },
    ...(passwd === undefined ? {} : { passwd }),
    storage: {
      ...(disks === undefined ? {} : { disks }),
      ...(filesystems === undefined ? {} : { filesystems: filesystems.map(legacyFilesystem) }),
      files: files.map(legacyFile),
      ...(links === undefined ? {} : { links: links.map((link) => ({ ...ROOT, ...link })) }),
    },
    systemd,
  });
}

/** In 2.3, append is a property of the file, not of its contents. */
function legacyFile({ contents, append, ...file }: IgnitionFile): object {
  const [appended] = append ?? [];
  return { ...ROOT, ...file, ...(appended === undefined ? { contents } : { append: true, contents: appended }) };
}

function legacyFilesystem({ path: _path, ...mount }: IgnitionFilesystem): object {
  return { mount };
}

export function asJson(config: object): JsonObject {
  return config as { readonly [key: string]: Json };
}
