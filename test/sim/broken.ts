/** Something that must hold does not. */
export class Broken extends Error {
  override readonly name = 'Broken';
}
