/**
 * Remembers what is made of a text, of the latest texts alone: who writes claims and Compositions writes the texts, and a
 * function runs for months.
 * @param most how many
 */
export function remembered<T>(make: (text: string) => T, most: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.has(text) ? (known.get(text) as T) : make(text);
    // The one used last is the last: what is forgotten is what nobody asked for longest.
    known.delete(text);
    known.set(text, value);
    for (const oldest of known.keys()) {
      if (known.size <= most) break;
      known.delete(oldest);
    }
    return value;
  };
}
