import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { sha256 } from '#lib/api/names.ts';
import { image, xpkg } from './image.ts';
import { layer } from './layer.ts';

interface Member {
  readonly mode: number;
  readonly uid: number;
  readonly mtime: number;
  readonly type: string;
  readonly content: Buffer;
}

async function membersOf(tar: Uint8Array): Promise<ReadonlyMap<string, Member>> {
  const members = new Map<string, Member>();
  const reader = extract();
  reader.end(Buffer.from(tar));
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const { name, mode, uid, mtime, type } = entry.header;
    members.set(name, { mode, uid, mtime: mtime?.getTime() ?? -1, type: type ?? '', content: Buffer.concat(chunks) });
  }
  return members;
}

const files = [
  { path: 'app/main.mjs', mode: 0o644, content: Buffer.from('1') },
  { path: 'package.yaml', mode: 0o644, content: Buffer.from('kind: Function\n') },
];

describe('a layer', () => {
  it('has the same digest whatever order its files are listed in, so that the same input gives the same package', async () => {
    const forward = await layer(files);
    const backward = await layer(files.toReversed());
    expect(backward.digest).toBe(forward.digest);
    expect(backward.diffId).toBe(forward.diffId);
  });

  it('has another digest as soon as one byte differs', async () => {
    const [code, yaml] = files;
    const changed = await layer([{ ...code!, content: Buffer.from('2') }, yaml!]);
    expect(changed.digest).not.toBe((await layer(files)).digest);
  });

  it('belongs to root, is dated 1970 and has a folder above each file, so that uid 2000 can read it', async () => {
    const members = await membersOf(gunzipSync((await layer(files)).gzipped));
    expect([...members.keys()]).toEqual(['app', 'app/main.mjs', 'package.yaml']);
    expect(members.get('app')).toMatchObject({ type: 'directory', mode: 0o755, uid: 0, mtime: 0 });
    expect(members.get('app/main.mjs')).toMatchObject({ type: 'file', mode: 0o644, uid: 0, mtime: 0 });
  });

  it('names each digest by what it is computed from', async () => {
    const { gzipped, digest, diffId } = await layer(files);
    expect(digest).toBe(`sha256:${sha256(gzipped)}`);
    expect(diffId).toBe(`sha256:${sha256(gunzipSync(gzipped))}`);
  });
});

describe('an xpkg file', () => {
  const runtime = { entrypoint: ['/nodejs/bin/node', '/app/main.mjs'], user: '2000', workingDir: '/app', env: [] };

  it('marks the layers that Crossplane reads with a label that has the digest of the layer', async () => {
    const content = await layer(files.slice(1), 'base');
    const { config } = image([await layer(files.slice(0, 1)), content], 'amd64', runtime);
    const parsed = JSON.parse(Buffer.from(config).toString()) as {
      config: { Labels: object; User: string; Entrypoint: string[] };
    };
    expect(parsed.config.Labels).toEqual({ [`io.crossplane.xpkg:${content.digest}`]: 'base' });
    expect(parsed.config.User).toBe('2000');
    expect(parsed.config.Entrypoint).toEqual(runtime.entrypoint);
  });

  it('holds every file in its manifest', async () => {
    const bytes = await xpkg(image([await layer(files, 'base')], 'amd64', runtime));
    const members = await membersOf(bytes);
    const [manifest] = JSON.parse(members.get('manifest.json')!.content.toString()) as [
      { Config: string; Layers: string[] },
    ];
    expect([manifest.Config, ...manifest.Layers].filter((name) => !members.has(name))).toEqual([]);
  });

  it('has the same bytes when it is built twice', async () => {
    const once = await xpkg(image([await layer(files, 'base')], 'arm64', runtime));
    const twice = await xpkg(image([await layer(files, 'base')], 'arm64', runtime));
    expect(sha256(twice)).toBe(sha256(once));
  });
});
