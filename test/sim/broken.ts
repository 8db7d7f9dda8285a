/** An invariant does not hold. */
export class Broken extends Error {
  override readonly name = 'Broken';
}
