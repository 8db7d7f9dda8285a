/** A generated part of a page that people write: what stands between two markers. */

const END = '<!-- /generated -->';

/**
 * The page with the part between its markers replaced. Throws for a page that has no such markers, or has them twice.
 * @param path  of the page, for the message  @param name  of the part
 */
export function withBlock(page: string, path: string, name: string, text: string): string {
  const begin = `<!-- generated: ${name}, by npm run generate -->`;
  const [before, rest, ...more] = page.split(`${begin}\n`);
  const end = rest?.indexOf(END) ?? -1;
  if (before === undefined || rest === undefined || end === -1 || more.length > 0)
    throw new Error(`cannot generate "${name}" of "${path}": it must have the lines ${begin} and ${END}, once`);
  return `${before}${begin}\n\n${text}\n\n${rest.slice(end)}`;
}
