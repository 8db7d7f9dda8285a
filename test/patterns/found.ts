/** Every regular expression of the product, as V8 runs it: literals, what modules make when they are loaded, and schemas. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const ROOT = join(import.meta.dirname, '../..');
/** `generate` and `package` read files of this repository only. */
const PRODUCT = '{lib,functions,clouds,controllers,cli,simulator}/**/*.ts';
/** Cannot be loaded without being started, or are loaded by what is. */
const STARTED = /\/(main|thread)\.ts$|^cli\//;

const files = globSync(PRODUCT, { cwd: ROOT })
  .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
  .toSorted();

/** By pattern and flags: where it is. */
export async function patternsFound(): Promise<ReadonlyMap<string, string>> {
  const all: (readonly [string, string])[] = [...files.flatMap(literalsIn), ...(await made()), ...inDefinitions()];
  return new Map(all.toReversed());
}

function literalsIn(file: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex } = node as { type?: string; regex?: { pattern: string; flags: string } };
    if (type === 'Literal' && regex !== undefined) found.push([`/${regex.pattern}/${regex.flags}`, file]);
    Object.values(node).forEach(walk);
  };
  walk(parseAst(readFileSync(join(ROOT, file), 'utf8'), { lang: 'ts' }));
  return found;
}

async function made(): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  const real = globalThis.RegExp;
  globalThis.RegExp = new Proxy(real, {
    construct(target, args, self) {
      const expression = Reflect.construct(target, args, self) as RegExp;
      const file = callerOf(new Error('made').stack ?? '');
      if (file !== undefined) found.push([String(expression), file]);
      return expression;
    },
  });
  try {
    for (const file of files.filter((file) => !STARTED.test(file))) await import(pathToFileURL(join(ROOT, file)).href);
  } finally {
    globalThis.RegExp = real;
  }
  return found;
}

/** The file of the product that called the trap; libraries answer for theirs. */
function callerOf(stack: string): string | undefined {
  const caller = stack.split('\n')[2] ?? '';
  return files.find((file) => caller.includes(join(ROOT, file)));
}

function inDefinitions(): readonly (readonly [string, string])[] {
  return globSync('xrds/*.yaml', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^\s*pattern: (.+)$/gm)].map(([, text = '']) => {
      const pattern = /^'.*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
      return [`/${new RegExp(pattern, 'u').source}/u`, file] as const;
    }),
  );
}
