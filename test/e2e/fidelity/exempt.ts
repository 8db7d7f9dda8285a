/** What is not compared between the embedded engine and the real one, and why. Everything else must be equal. */

export interface Exemption {
  /** Which objects, by kind. */
  readonly kind: string;
  /** Fields below it, by path; `*` is any key. */
  readonly path: readonly string[];
  readonly reason: string;
}

export const EXEMPT: readonly Exemption[] = [
  {
    kind: 'Secret',
    path: ['data', '*'],
    reason: 'keys, certificates and tokens are made anew by each call until they exist',
  },
  {
    kind: 'Cluster',
    path: ['status', 'certificates', 'caCertHash'],
    reason: 'the hash of such a certificate',
  },
];
