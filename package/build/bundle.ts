/** One JavaScript file per program: what its image contains besides Node. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export interface Bundle {
  readonly code: Uint8Array;
  /** Paths of the modules in it. */
  readonly modules: readonly string[];
  /** Paths of all files that were read for it, also of those of which nothing is left in it. */
  readonly read: readonly string[];
}

/** Bundles main.ts of a folder with everything it imports into one minified ES module. */
export async function bundleProgram(root: string, folder: string): Promise<Bundle> {
  const build = await rolldown({
    input: join(root, folder, 'main.ts'),
    platform: 'node',
    cwd: root,
    treeshake: true,
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false, sourcemap: false });
  const read = await build.watchFiles;
  await build.close();
  const [chunk, ...others] = output;
  if (others.length > 0)
    throw new Error(`cannot bundle program "${folder}": it splits into ${others.length + 1} files`);
  return { code: Buffer.from(chunk.code), modules: chunk.moduleIds, read };
}
