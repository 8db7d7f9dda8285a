/** Which cases of a suite run. */

interface Named {
  readonly name: string;
  /** Cases that it starts from. */
  readonly after?: readonly string[];
}

/** The cases that were asked for, each after the cases that it starts from. */
export function chosen<Case extends Named>(suite: readonly Case[], names: readonly string[]): readonly Case[] {
  const needed = (name: string): readonly string[] => [
    ...(suite.find((each) => each.name === name)?.after ?? []).flatMap(needed),
    name,
  ];
  const wanted = new Set(names.flatMap(needed));
  return suite.filter(({ name }) => wanted.has(name));
}
