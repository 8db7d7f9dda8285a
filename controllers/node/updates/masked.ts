/**
 * What an updater printed, without secrets: values that its script contains, and words that look like tokens. A script
 * prints no secret by its contract; the programs that it starts have none.
 */

/** @param scripts  the texts of all updaters of the run */
export function masked(text: string, scripts: readonly string[]): string {
  const values = [...new Set(scripts.flatMap(valuesIn))].toSorted((a, b) => b.length - a.length);
  const known = values.reduce((line, value) => line.replaceAll(value, '***'), text);
  return known.replaceAll(/[A-Za-z0-9+/=_-]{20,}/g, (word) => (isToken(word) ? '***' : word));
}

/** Characters; a shorter value hides too little and too much. */
const LEAST = 8;

/** What a script tells people itself. */
const TOLD = /^[ \t]*echo .*>&2$/gm;

/** Lines of quoted texts, and what follows = or : in them. */
function valuesIn(script: string): readonly string[] {
  const quoted = [...script.replaceAll(TOLD, '').matchAll(/'([^']*)'|"([^"]*)"/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );
  const lines = quoted.flatMap((value) => value.split('\n')).map((line) => line.trim());
  const values = lines.flatMap((line) => [line, ...line.split(/[=:]\s*/).slice(1)].map((part) => part.trim()));
  return values.flatMap((value) => [value, unquoted(value)]).filter((value) => value.length >= LEAST && !isOpen(value));
}

function unquoted(value: string): string {
  return value.replaceAll(/^["']|["']$/g, '');
}

/** Paths, options and names of settings are in every error, and are in no Secret for themselves. */
function isOpen(value: string): boolean {
  return /^\/[\w./-]*$/.test(value) || /^-{1,2}[a-z-]+$/.test(value) || /^[a-z0-9]+(\.[a-z0-9_]+)+$/.test(value);
}

/** Long words with letters and digits may be tokens, keys and hashes. Paths, versions and names stay. */
function isToken(word: string): boolean {
  return (
    /[0-9]/.test(word) &&
    /[A-Za-z]/.test(word) &&
    !word.startsWith('/') &&
    !/^[a-z0-9]+([-/][a-z0-9]+)+$/.test(word) &&
    !/^[a-z-]+=[a-z0-9-]+$/.test(word)
  );
}
