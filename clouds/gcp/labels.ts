/**
 * Labels, which are the tags of GCP: keys begin with a lower-case letter; keys and values have lower-case letters,
 * digits, - and _, in 63 characters.
 */
const LONGEST = 63;
const KEY = /^[a-z][a-z0-9_-]{0,62}$/;
const VALUE = /^[a-z0-9_-]{0,63}$/;

export const ACCEPTED =
  'a label of GCP: a key that begins with a lower-case letter; key and value of lower-case letters, digits, - and _, in 63 characters';

export function isLabel(key: string, value: string): boolean {
  return KEY.test(key) && VALUE.test(value);
}

/** The name of a Kubernetes object as a value. */
export function labelValue(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_')
    .slice(0, LONGEST);
}
