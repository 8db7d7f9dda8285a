/** Every generated file. Nothing is read back from what was written, but the parts of a file that people write. */
import { bootstrapConfigFiles } from './bootstrap-config/files.ts';
import { catalogFiles } from './catalogs.ts';
import { claimPage } from './claim-page.ts';
import { contractPages } from './contract-pages.ts';
import { definitionFiles } from './definitions.ts';
import { functionInputFiles } from './function-inputs.ts';
import { inputTables } from './input-tables.ts';
import { kindFieldFiles } from './kind-fields/files.ts';
import { matrixPages } from './matrix-pages.ts';
import { updateRuleFiles } from './update-rules/files.ts';

/** By its path in the repository; the test suite compares them with what is committed. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const rules = updateRuleFiles();
  return new Map([
    ...definitionFiles(),
    ...functionInputFiles(),
    ...inputTables(),
    ...kindFieldFiles(),
    ...rules,
    ...catalogFiles(rules),
    ...matrixPages(),
    ...claimPage(),
    ...contractPages(),
    ...bootstrapConfigFiles(),
  ]);
}
