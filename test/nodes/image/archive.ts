/** A container image of one static program, as the archive that `ctr images import` reads. */
import { canonical } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { tarOf } from '../../../package/build/layer.ts';

/** @param name file name of the program, on the PATH of the image */
export async function programArchive(reference: string, name: string, program: Uint8Array): Promise<Uint8Array> {
  const layer = await tarOf([
    ...['usr', 'usr/local', 'usr/local/bin'].map((path) => ({ path, mode: 0o755 })),
    { path: `usr/local/bin/${name}`, mode: 0o755, content: program },
  ]);
  const config = Buffer.from(
    canonical({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: { Entrypoint: [name], Env: ['PATH=/usr/local/bin'] },
      rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
    }),
  );
  const manifest = [{ Config: 'config.json', RepoTags: [reference], Layers: ['layer.tar'] }];
  return tarOf(
    [
      { path: 'config.json', content: config },
      { path: 'layer.tar', content: layer },
      { path: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
    ].map((entry) => ({ ...entry, mode: 0o644 })),
  );
}
