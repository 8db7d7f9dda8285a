/** One JavaScript file per program, and what starts it: what its image contains besides Node. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export interface Bundle {
  /** One function with the parameters of a CommonJS module. */
  readonly code: Uint8Array;
  /** Paths of the modules in it. */
  readonly modules: readonly string[];
  /** Paths of all files that were read for it, also of those of which nothing is left in it. */
  readonly read: readonly string[];
}

/** A file of a program, by its path in the folder of the program. */
export interface ProgramFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The file that Node starts. */
export const MAIN = 'main.cjs';

/**
 * Bundles main.ts of a folder with everything it imports into one minified file. It is no ES module: to import built-in
 * modules of Node as such also loads what nobody uses, such as a client for WebSocket.
 */
export async function bundleProgram(root: string, folder: string): Promise<Bundle> {
  const build = await rolldown({
    input: join(root, folder, 'main.ts'),
    platform: 'node',
    cwd: root,
    treeshake: true,
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'cjs', minify: true, codeSplitting: false, sourcemap: false });
  const read = await build.watchFiles;
  await build.close();
  const [chunk, ...others] = output;
  if (others.length > 0)
    throw new Error(`cannot bundle program "${folder}": it splits into ${others.length + 1} files`);
  const code = `(function(exports,require,module,__filename,__dirname){${chunk.code}\n})`;
  return { code: Buffer.from(code), modules: chunk.moduleIds, read };
}

/** @param compile  whether to add what V8 makes of it; only the same version of Node on the same architecture takes it */
export function programFiles(root: string, { code }: Bundle, compile: boolean): readonly ProgramFile[] {
  return [
    { path: MAIN, content: readFileSync(join(root, 'package/runtime', MAIN)) },
    { path: 'program.cjs', content: code },
    ...(compile ? [{ path: 'program.cache', content: compiled(code) }] : []),
  ];
}

/** Predictable: the same program gives the same bytes. */
const COMPILE = `
const { readFileSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');
writeFileSync('program.cache', new Script(readFileSync('program.cjs', 'utf8')).createCachedData());
`;

function compiled(code: Uint8Array): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-compile-'));
  try {
    writeFileSync(join(folder, 'program.cjs'), code);
    execFileSync(process.execPath, ['--predictable', '--eval', COMPILE], { cwd: folder });
    return readFileSync(join(folder, 'program.cache'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
