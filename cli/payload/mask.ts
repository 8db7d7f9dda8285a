/** Secrets in first-boot data, found by what they look like and replaced by a word that says what was there. */

const MASKS: readonly (readonly [what: RegExp, mask: string])[] = [
  [
    /(?<begin>-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----)[\s\S]*?(?<end>-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----)/g,
    '$<begin> masked $<end>',
  ],
  // kubeadm and k0s: six characters, a dot, sixteen.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, 'masked.token'],
  [
    /(?<key>(?:client-key-data|client-certificate-data|certificateKey|token|agent-token|password|passwd|hashed_passwd|secret|secretboxEncryptionSecret)\s*:\s*)(?!["']?masked)(?<value>"[^"\n]+"|'[^'\n]+'|[^\s#][^\n]*)/g,
    '$<key>masked',
  ],
  // crypt(3) hashes.
  [/\$(?:1|2[aby]|5|6|y)\$[./A-Za-z0-9$=,]{8,}/g, 'masked-hash'],
];

export function masked(text: string): string {
  return MASKS.reduce((current, [what, mask]) => current.replace(what, mask), text);
}
