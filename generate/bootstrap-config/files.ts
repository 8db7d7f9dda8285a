/** What each bootstrapper reads from a claim: a page and a JSON Schema each, and an index; from the registry alone. */
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import type { GeneratedFile } from '../file.ts';
import { configIndex } from './index-page.ts';
import { configPage } from './page.ts';
import { claimSchema } from './schema.ts';

const FOLDER = 'docs/bootstrap-config';

export function bootstrapConfigFiles(): readonly GeneratedFile[] {
  const providers = Object.entries(BOOTSTRAPPERS)
    .map(([name, { config }]) => ({ name, config }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    [`${FOLDER}/README.md`, configIndex(providers)],
    ...providers.flatMap((provider): readonly GeneratedFile[] => [
      [`${FOLDER}/${provider.name}.md`, configPage(provider)],
      [`${FOLDER}/${provider.name}.schema.json`, `${JSON.stringify(claimSchema(provider), undefined, 2)}\n`],
    ]),
  ];
}
