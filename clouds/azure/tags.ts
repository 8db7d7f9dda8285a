/** Tags of Azure: at most 50 on an object, with keys of 128 characters that every kind accepts, and values of 256. */
const KEY = /^[^<>%&\\?/]{1,128}$/;
const VALUE = /^.{0,256}$/;
/** Prefixes that Azure keeps for itself. */
const TAKEN = /^(microsoft|azure|windows)/i;

export const ACCEPTED =
  'a tag of Azure: a key without < > % & \\ ? / that does not begin with microsoft, azure or windows, in 128 characters; a value in 256';

export function isTag(key: string, value: string): boolean {
  return KEY.test(key) && !TAKEN.test(key) && VALUE.test(value);
}
