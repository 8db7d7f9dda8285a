/** The names that a cloud accepts, by kind, for names that functions choose: as a cloud's documentation says it. */
export type NameLimits = Readonly<Record<string, RegExp>>;
