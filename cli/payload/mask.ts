/**
 * Finds secrets in first-boot data by their format and replaces them with a word that says what was there. It does not
 * find secrets that files and commands of the claim hide in another way.
 */

/** NOPASSWD of a rule of sudo is no key. */
const KEY =
  /(?:client-key-data|client-certificate-data|certificateKey|token|(?<!\bno)passw(?:or)?d|passphrase|secret|(?:access|api|private)[-_]?key|(?<![\w-])_?auth)["']?/i
    .source;

/** The same in a text whose quotes are escaped. */
const KEY_OF_TEXT = KEY.replace(/\["'\]\?$/, String.raw`\\+"`);

/** A shorter line is a word that may occur anywhere. */
const SHORTEST = 6;

/** Each pattern is applied after those before it. */
const MASKS: readonly (readonly [what: RegExp, mask: string])[] = [
  [
    /(?<begin>-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----)[\s\S]*?(?<end>-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----)/g,
    '$<begin> masked $<end>',
  ],
  // kubeadm and k0s: six characters, a dot, sixteen.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, 'masked.token'],
  // crypt(3) hashes.
  [/\$(?:1|2[aby]|5|6|y)\$[./A-Za-z0-9$=,]{8,}/g, 'masked-hash'],
  // A YAML block: every line with a deeper indentation than its key.
  [
    new RegExp(
      `^(?<key>(?<indent>[^\\S\\n]*)[^\\n]{0,200}?${KEY}[^\\S\\n]*:[^\\S\\n]*)[|>][-+0-9]*[^\\S\\n]*(?:\\n(?:\\k<indent>[^\\S\\n]+[^\\n]*)?)+`,
      'gim',
    ),
    '$<key>masked\n',
  ],
  // JSON inside a quoted text: its quotes are escaped.
  [
    new RegExp(
      `(?<key>${KEY_OF_TEXT}[^\\S\\n]*:[^\\S\\n]*)(?<quote>\\\\+")(?!masked)(?:(?!\\k<quote>)[^\\n])+\\k<quote>`,
      'gi',
    ),
    '$<key>$<quote>masked$<quote>',
  ],
  // A quote at the end of a line belongs to the text around the value.
  [
    new RegExp(
      `(?<key>${KEY}[^\\S\\n]*:[^\\S\\n]*)(?!["']?masked|(?:true|false)[^\\S\\n]*$)(?:"(?:[^"\\\\\\n]|\\\\.)+"|'[^'\\n]+'|[^\\s"'#|>{[&*\\\\][^\\n]*?(?=["']*[^\\S\\n]*$))`,
      'gim',
    ),
    '$<key>masked',
  ],
  // Shell, systemd and INI; a shell substitution is not a secret yet.
  [
    new RegExp(`(?<key>${KEY}[^\\S\\n]*=[^\\S\\n]*)(?!["']?masked)(?:"[^"$\\n]+"|'[^'\\n]+'|[^\\s"'$;&|)]+)`, 'gi'),
    '$<key>masked',
  ],
  [/(?<key>--(?:token|password)\s+)(?!masked|\$)[^\s"'$;&|)]+/g, '$<key>masked'],
  [/(?<key>\b(?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/g, '$<key>masked'],
  [/(?<key>:\/\/[^\s/:@]+:)[^\s/@$]+(?=@)/g, '$<key>masked'],
];

/** Also without values that are known to be secret, line by line, because they may be indented in the data. */
export function maskedValues(text: string, values: readonly string[]): string {
  const lines = values.flatMap((value) => value.split('\n')).map((line) => line.trim());
  const long = [...new Set(lines)].filter((line) => line.length >= SHORTEST).toSorted((a, b) => b.length - a.length);
  return long.reduce((current, line) => current.replaceAll(line, 'masked'), text);
}

export function masked(text: string): string {
  return MASKS.reduce((current, [what, mask]) => current.replace(what, mask), text);
}
