/** One JavaScript file per function: what the runtime image carries besides Node. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Bundles functions/<name>/main.ts with everything it imports into one minified ES module.
 * @returns the module's source
 */
export async function bundleFunction(root: string, name: string): Promise<Uint8Array> {
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
  return Buffer.from(chunk.code);
}
