/** Which text was meant by one that its schema refuses. */
import { z } from 'zod';
import { schemasAt } from './path.ts';

/**
 * What a text schema at a path accepts in place of another text: what it knows of such ones or, if it knows nothing of
 * them, the same in small letters and with dashes. An object or a list that has one text alone stands for it where no
 * secret looks like one, as of versions and blocks. Undefined: nothing is near.
 */
export function meantAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string | undefined {
  const isText = typeof value === 'string';
  const wrote = isText ? value : onlyText(value);
  if (wrote === undefined || wrote.length > LONGEST) return undefined;
  return schemasAt(schema, path)
    .filter((here) => here instanceof z.ZodString)
    .filter((text) => isText || text.meta()?.['meant'] !== undefined)
    .flatMap((text) => (meaningOf(text) ?? spellings)(wrote).filter((one) => accepts(text, one)))
    .find((one) => one !== value);
}

/** Characters; nobody reads a longer one twice. */
const LONGEST = 100;

type Meaning = (wrote: string) => readonly string[];

function meaningOf(text: z.ZodType): Meaning | undefined {
  const { meant, meantByText } = text.meta() ?? {};
  return (meant ?? meantByText) as Meaning | undefined;
}

function accepts(text: z.ZodType, value: string): boolean {
  return text.safeParse(value).success;
}

const spellings: Meaning = (wrote) => {
  const plain = wrote.trim();
  return [plain, plain.toLowerCase(), plain.toLowerCase().replaceAll('_', '-')];
};

function onlyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  const members = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return members.length === 1 ? onlyText(members[0]) : undefined;
}
