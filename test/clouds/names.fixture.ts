/** Names that Kubernetes accepts and that come close to what a cloud refuses, made from the rules of every cloud. */
import fc from 'fast-check';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { refusedName } from '#simulator/cloud/names.ts';

const RULES = SIMULATED_CLOUDS.flatMap(({ kinds }) => kinds).flatMap(({ names }) => names ?? []);

/** What some cloud refuses at the beginning of a name, or in it. */
const RESERVED = [...new Set(RULES.flatMap(({ beginnings = [], parts = [] }) => [...beginnings, ...parts]))].map(
  (text) => text.replace(/[^a-z0-9]+$/, ''),
);

/** Each of them alone, inside and at both ends of the longest name; digits and hyphens where some cloud accepts none. */
export const closeNames = (most: number): readonly string[] => [
  ...RESERVED.flatMap((text) => [text, `a${text}a`, text.padEnd(most, 'l'), text.padStart(most, 'l')]),
  'a',
  '7',
  '0x-7',
  'a--b',
  '7'.padEnd(most, 'l'),
];

const word = fc.oneof(fc.constantFrom(...RESERVED, 'a', 'b', '7'), fc.stringMatching(/^[a-z0-9]{1,9}$/));

/** Any name of at most so many characters. */
export const label = (most: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/).map((text) => cut(text, most)),
    fc.constantFrom(...closeNames(most)),
    fc
      .array(fc.tuple(word, fc.constantFrom('-', '--', '')), { minLength: 2, maxLength: 4 })
      .map((parts) => cut(parts.flat().join(''), most)),
  );

function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/-+$/, '');
}

/** What a cloud says to a name; undefined: it accepts the name. */
export function refusal(cloud: string, kind: string, name: string): string | undefined {
  const rule = SIMULATED_CLOUDS.find((one) => one.name === cloud)?.kinds.find((one) => one.kind === kind)?.names;
  return rule === undefined ? `${kind} has no rule` : refusedName(rule, name);
}
