/** Which processors a size of AWS has, by the parts of its name: family, generation, processor and other features. */
import type { Architecture } from '#lib/cloud/architecture.ts';

const SIZE = /^([a-z]+)[0-9]+([a-z]*)(-[a-z0-9-]+)?\./;
/** Those of Apple boot images of their own; the latest ones of Trainium do not say what they have. */
const NOT_KNOWN = /^(mac|trn[3-9])/;

export function architectureOf(size: string): Architecture | undefined {
  const [, family, features = '', more = ''] = SIZE.exec(size) ?? [];
  if (NOT_KNOWN.test(size) || (family === undefined && !size.startsWith('u-'))) return undefined;
  // g is Graviton where it is the first letter after the generation; a1 came before that rule, and gb200 has Grace.
  return features.startsWith('g') || size.startsWith('a1.') || more.startsWith('-gb') ? 'arm64' : 'amd64';
}
