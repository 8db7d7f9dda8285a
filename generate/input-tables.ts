/** The fields of a function's input in its README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../cli/files/repository.ts';
import { withBlock } from './block.ts';
import { fieldTable } from './fields/table.ts';
import type { GeneratedFile } from './file.ts';
import { INPUTS } from './function-inputs.ts';

/** Of every input; the sentence above the table says them. */
const IDENTITY = ['apiVersion', 'kind'];

export function inputTables(): readonly GeneratedFile[] {
  return INPUTS.map(({ folder, schema }) => {
    const path = `functions/${folder}/README.md`;
    const page = readFileSync(join(ROOT, path), 'utf8');
    return [path, withBlock(page, path, 'input', fieldTable(schema, [], IDENTITY))];
  });
}
