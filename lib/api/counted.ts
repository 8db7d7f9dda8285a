/** Numbers of things in messages. */

/** `1 machine`, `2 machines`. @param thing  in the singular, with a regular plural */
export function counted(count: number | bigint, thing: string): string {
  return `${count} ${thing}${Number(count) === 1 ? '' : 's'}`;
}
