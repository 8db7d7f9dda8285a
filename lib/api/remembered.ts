/**
 * Caches results by text, for the most recent texts only, because authors of claims and Compositions write these texts,
 * and a function runs for months.
 * @param most maximum number of entries
 */
export function remembered<T>(make: (text: string) => T, most: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.has(text) ? (known.get(text) as T) : make(text);
    // Moves a used entry to the end: the least recently used one is dropped first.
    known.delete(text);
    known.set(text, value);
    for (const oldest of known.keys()) {
      if (known.size <= most) break;
      known.delete(oldest);
    }
    return value;
  };
}
