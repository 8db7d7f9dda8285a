/** A page about a contract: every field of its schema with what it accepts, its default and its meaning. */
import type { z } from 'zod';
import { fieldTable } from './fields/table.ts';

export interface Contract {
  readonly title: string;
  /** What it is for, in sentences. */
  readonly about: string;
  /** Where the schema is. */
  readonly source: string;
  /** One schema by the heading it stands under; a contract without alternatives has one. */
  readonly schemas: readonly { readonly heading: string; readonly schema: z.ZodType }[];
}

export function contractPage({ title, about, source, schemas }: Contract): string {
  const sections = schemas.map(({ heading, schema }) => `## ${heading}\n\n${fieldTable(schema)}\n`);
  return `# ${title}

<!-- Generated from ${source} by \`npm run generate\`. -->

${about}

${sections.join('\n')}`;
}
