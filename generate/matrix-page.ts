/** Which bootstrap provider goes with which provisioning format, from the registries. */
import { matrix } from '../cli/matrix/matrix.ts';
import { markdown } from '../cli/matrix/print.ts';
import type { GeneratedFile } from './file.ts';

export function matrixPage(): readonly GeneratedFile[] {
  return [['docs/matrix.md', page()]];
}

function page(): string {
  return `# Which bootstrap provider goes with which provisioning format

<!-- Generated from the registries of functions/bootstrap and functions/provisioning by \`npm run generate\`. -->

A Cluster says \`bootstrap.provider\` and \`provisioning.format\`, each by itself. ✘: the claim is refused, and the line names
the formats that work. A field that a format cannot say is refused as well, never left out.

${markdown(matrix())}
The same in a terminal:

\`\`\`sh
npm run slipway -- matrix
\`\`\`
`;
}
