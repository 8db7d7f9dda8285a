/** The names that a cloud accepts for a kind. */
export interface NameRule {
  /** Characters and length. */
  readonly form: RegExp;
  /** What no name begins with, in small letters. */
  readonly beginnings?: readonly string[];
  /** What no name contains, in small letters. */
  readonly parts?: readonly string[];
  /** As the provider reports it. */
  readonly refusal: (name: string) => string;
}

/** Why the cloud refuses a name; undefined if it does not, or if there is no rule. */
export function refusedName(rule: NameRule | undefined, name: string): string | undefined {
  if (rule === undefined) return undefined;
  const { form, beginnings = [], parts = [], refusal } = rule;
  const small = name.toLowerCase();
  const isReserved = beginnings.some((text) => small.startsWith(text)) || parts.some((text) => small.includes(text));
  return form.test(name) && !isReserved ? undefined : refusal(name);
}
