/** Composition resource names by kind, as a cloud states them; `*` stands for any text, as in `disk-*`. */
export type ResourceNames = Readonly<Record<string, readonly string[]>>;
