/**
 * Secrets in first-boot data, found by what they look like and replaced by a word that says what was there. What a
 * claim's own files and commands hide in another way is not found.
 */

const KEY =
  /(?:client-key-data|client-certificate-data|certificateKey|token|passw(?:or)?d|passphrase|secret|(?:access|api|private)[-_]?key|(?<![\w-])_?auth)["']?/i
    .source;

/** Each is looked for where those before it have been replaced. */
const MASKS: readonly (readonly [what: RegExp, mask: string])[] = [
  [
    /(?<begin>-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----)[\s\S]*?(?<end>-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----)/g,
    '$<begin> masked $<end>',
  ],
  // kubeadm and k0s: six characters, a dot, sixteen.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, 'masked.token'],
  // crypt(3) hashes.
  [/\$(?:1|2[aby]|5|6|y)\$[./A-Za-z0-9$=,]{8,}/g, 'masked-hash'],
  // A YAML block: every line that stands deeper than its key.
  [
    new RegExp(
      `^(?<key>(?<indent>[^\\S\\n]*)[^\\n]{0,200}?${KEY}[^\\S\\n]*:[^\\S\\n]*)[|>][-+0-9]*[^\\S\\n]*(?:\\n(?:\\k<indent>[^\\S\\n]+[^\\n]*)?)+`,
      'gim',
    ),
    '$<key>masked\n',
  ],
  [
    new RegExp(
      `(?<key>${KEY}[^\\S\\n]*:[^\\S\\n]*)(?!["']?masked)(?:"(?:[^"\\\\\\n]|\\\\.)+"|'[^'\\n]+'|[^\\s"'#|>{[&*][^\\n]*)`,
      'gi',
    ),
    '$<key>masked',
  ],
  // Shell, systemd and INI; what a shell works out is no secret yet.
  [
    new RegExp(`(?<key>${KEY}[^\\S\\n]*=[^\\S\\n]*)(?!["']?masked)(?:"[^"$\\n]+"|'[^'\\n]+'|[^\\s"'$;&|)]+)`, 'gi'),
    '$<key>masked',
  ],
  [/(?<key>--(?:token|password)\s+)(?!masked|\$)[^\s"'$;&|)]+/g, '$<key>masked'],
  [/(?<key>\b(?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/g, '$<key>masked'],
  [/(?<key>:\/\/[^\s/:@]+:)[^\s/@$]+(?=@)/g, '$<key>masked'],
];

export function masked(text: string): string {
  return MASKS.reduce((current, [what, mask]) => current.replace(what, mask), text);
}
