/** One JavaScript file per function: what the runtime image carries besides Node. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export interface Bundle {
  readonly code: Uint8Array;
  /** Paths of the modules in it. */
  readonly modules: readonly string[];
}

/**
 * Bundles functions/<name>/main.ts with everything it imports into one minified ES module.
 */
export async function bundleFunction(root: string, name: string): Promise<Bundle> {
  const build = await rolldown({
    input: join(root, 'functions', name, 'main.ts'),
    platform: 'node',
    cwd: root,
    treeshake: true,
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false, sourcemap: false });
  await build.close();
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`cannot bundle function "${name}": it splits into ${others.length + 1} files`);
  return { code: Buffer.from(chunk.code), modules: chunk.moduleIds };
}
