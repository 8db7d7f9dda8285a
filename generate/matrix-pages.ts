/** Which bootstrap provider works with which provisioning format, from the registries: the page, and the table in README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../cli/files/repository.ts';
import { matrix } from '../cli/matrix/matrix.ts';
import { markdown, pairsTable } from '../cli/matrix/print.ts';
import { withBlock } from './block.ts';
import type { GeneratedFile } from './file.ts';

export function matrixPages(): readonly GeneratedFile[] {
  return [
    ['docs/matrix.md', page()],
    ['README.md', withBlock(readFileSync(join(ROOT, 'README.md'), 'utf8'), 'README.md', 'pairs', pairsTable(matrix()))],
  ];
}

function page(): string {
  return `# Which bootstrap provider works with which provisioning format

<!-- Generated from the registries of functions/bootstrap and functions/provisioning by \`npm run generate\`. -->

A Cluster sets \`bootstrap.provider\` and \`provisioning.format\` independently. ✘: the claim is refused, and the message
names the formats that work. A field that a format cannot express is also refused, never ignored. A cloud may not be
able to deliver a format without showing its secrets: then
[the platform has to allow it](first-boot.md#where-secrets-are-stored-and-sent).

${markdown(matrix())}
The same in a terminal:

\`\`\`sh
npm run slipway -- matrix
\`\`\`
`;
}
