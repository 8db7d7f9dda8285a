/** `npm run generate`: writes every generated file, and takes away those that nothing generates any more. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../cli/files/repository.ts';
import { generatedFiles } from './files.ts';
import { staleFiles } from './stale.ts';

const files = generatedFiles();
for (const [path, text] of files) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
  console.log(path);
}
for (const path of staleFiles(ROOT, files)) {
  rmSync(join(ROOT, path));
  console.log(`${path} is gone`);
}
