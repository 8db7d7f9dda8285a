/**
 * What is secret in first-boot data by its form: what a claim writes itself into its files and commands, and everything,
 * where only the data is given and not the Secrets that it was made from.
 */

import { type Mask, maskOf } from '#lib/fn/masking/mask.ts';

/** NOPASSWD of a rule of sudo is no key. */
const KEY =
  /(?:client-key-data|certificateKey|token|(?<!\bno)passw(?:or)?d|passphrase|secret|(?:access|api|private)[-_]?key|(?<![\w-])_?auth)["']?/i
    .source;

/** A quote, and what is between it and the next of its kind. */
const QUOTED = String.raw`["']?(?<value>(?<=")(?:[^"\\\n]|\\.)+(?=")|(?<=')[^'\n]+(?=')|(?<!["'])`;

/** What is in the group `value` is secret. */
const PATTERNS: readonly RegExp[] = [
  // kubeadm and k0s: six characters, a dot, sixteen.
  /\b(?<value>[a-z0-9]{6}\.[a-z0-9]{16})\b/dg,
  // crypt(3) hashes.
  /(?<value>\$(?:1|2[aby]|5|6|y)\$[./A-Za-z0-9$=,]{8,})/dg,
  // A YAML block: every line with a deeper indentation than its key.
  new RegExp(
    `^(?<indent>[^\\S\\n]*)[^\\n]{0,200}?${KEY}[^\\S\\n]*:[^\\S\\n]*(?<value>[|>][-+0-9]*[^\\S\\n]*(?:\\n(?:\\k<indent>[^\\S\\n]+[^\\n]*)?)*\\n\\k<indent>[^\\S\\n]+[^\\n]*)`,
    'dgim',
  ),
  // A quote at the end of a line belongs to the text around the value.
  new RegExp(
    `${KEY}[^\\S\\n]*:[^\\S\\n]*(?!(?:true|false)[^\\S\\n]*$)${QUOTED}[^\\s"'#|>{[&*\\\\][^\\n]*?(?=["']*[^\\S\\n]*$))`,
    'dgim',
  ),
  // Shell, systemd and INI; a shell substitution is not a secret yet.
  new RegExp(`${KEY}[^\\S\\n]*=[^\\S\\n]*(?!"[^"\\n]*\\$)${QUOTED}[^\\s"'$;&|)]+)`, 'dgi'),
  /--(?:token|password)\s+(?<value>[^\s"'$;&|)]+)/dg,
  /\b(?:Bearer|Basic)\s+(?<value>[\w.~+/=-]{8,})/dg,
  /:\/\/[^\s/:@]+:(?<value>[^\s/@$]+)(?=@)/dg,
];

/** @param secrets  values that are known, in latin1 */
export function firstBootMask(secrets: Iterable<string>): Mask {
  return maskOf(secrets, { patterns: PATTERNS });
}
