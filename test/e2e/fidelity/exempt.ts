/** What is not compared between the embedded engine and the real one, and why. All other fields must be equal. */

export interface Exemption {
  /**
   * When: always; after a refusal; after a refusal of which the real engine only reports the cause; or, for
   * `unordered`, always except for the elements themselves.
   */
  readonly when: 'always' | 'refused' | 'untold' | 'unordered';
  /** Fields of a Rendering; a `*` at the end of a step matches any rest. */
  readonly path: readonly string[];
  /** Only until the XR has a composed resource with this name; `own`: until the object or resource itself exists. */
  readonly until?: string;
  readonly reason: string;
}

export const EXEMPT: readonly Exemption[] = [
  {
    when: 'always',
    path: ['composed', 'Secret *', 'data', '*'],
    until: 'own',
    reason: 'keys, certificates and tokens are made anew by each call until they exist',
  },
  {
    when: 'always',
    path: ['composite', 'status', 'certificates', 'caCertHash'],
    until: 'ca',
    reason: 'the hash of such a certificate',
  },
  {
    when: 'always',
    path: ['asked', '*', 'request', 'desired', 'resources', '*', 'resource', 'data', '*'],
    until: 'own',
    reason: 'the same, as the functions after the one that makes them are given them',
  },
  {
    when: 'always',
    path: ['asked', '*', 'request', 'desired', 'composite', 'resource', 'status', 'certificates', 'caCertHash'],
    until: 'ca',
    reason: 'the hash of such a certificate, given in the same way',
  },
  {
    when: 'always',
    path: ['asked', '*', 'request', 'meta'],
    reason:
      "the tag is a hash in Go's encoding, to be handed back unread; the embedded engine has neither credentials nor schemas to give and claims no capabilities",
  },
  {
    when: 'unordered',
    path: ['results'],
    reason: "core tells of composed resources in Go's map order, another at each run",
  },
  {
    when: 'unordered',
    path: ['deleted'],
    reason: 'the same: garbage is collected in map order',
  },
  {
    when: 'refused',
    path: ['composite', 'status', 'conditions', '*', 'lastTransitionTime'],
    reason: 'the time of day by the clock of this machine, which the command replaces only in what it prints',
  },
  {
    when: 'always',
    path: [
      'asked',
      '*',
      'request',
      'observed',
      'composite',
      'resource',
      'status',
      'conditions',
      '*',
      'lastTransitionTime',
    ],
    reason: 'the same, of the condition that core sets before it asks',
  },
  {
    when: 'refused',
    path: ['composite', 'spec', 'crossplane'],
    reason: 'whether the Composition chosen on this very run is there depends on what else core happened to write',
  },
  {
    when: 'untold',
    path: ['error', 'cause'],
    reason: 'a function that is not there is missed by whoever looks it up, each in words of its own',
  },
  {
    when: 'untold',
    path: ['composite'],
    reason: "core's render command writes what a refused XR looks like only when a function refused it",
  },
  {
    when: 'untold',
    path: ['results'],
    reason: 'the same for its events',
  },
];
