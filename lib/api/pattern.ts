/** Patterns of names, in which * stands for any text. */

/** Not a regular expression: claims contain patterns, and many stars would make it very slow. */
export function isLike(text: string, pattern: string): boolean {
  const [head = '', ...others] = pattern.split('*');
  const tail = others.pop();
  if (tail === undefined) return text === pattern;
  if (!text.startsWith(head)) return false;
  let from = head.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}
