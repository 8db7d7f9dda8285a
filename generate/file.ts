/** What is generated: a path in the repository and the whole text there. */
export type GeneratedFile = readonly [path: string, text: string];
