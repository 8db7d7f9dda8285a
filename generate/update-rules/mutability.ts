/** What a provider does with a change, by kind: the extract that a cloud keeps in its mutability.json. */
export type Mutability = Readonly<
  Record<string, { readonly accepted: readonly string[]; readonly refused: readonly string[] }>
>;
