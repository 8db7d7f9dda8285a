/** What the YAML library says of the commonest typing errors, in plain words. */
import type { ErrorCode } from 'yaml';

const PLAIN: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'it is indented with a tab; accepted: spaces',
  MULTILINE_IMPLICIT_KEY: 'this line is no key and value; accepted: KEY: VALUE, with a space after the colon',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one line; accepted: quotes around the value',
  DUPLICATE_KEY: 'this key is there twice; accepted: each key once',
};

/** The library's own sentence where there is no plainer one. */
export function plainly(code: ErrorCode, message: string): string {
  const closing = /^Missing closing (["'])quote/.exec(message)?.[1];
  return closing === undefined ? (PLAIN[code] ?? message) : `a text that begins with ${closing} does not end`;
}
