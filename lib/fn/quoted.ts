/** Words of shell scripts, whichever function writes them. */

/** One word for the shell, whatever is in it. */
export function quoted(text: string): string {
  return /^[A-Za-z0-9_/.:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
