/** What no message may contain, whatever a claim contains. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SlipwayError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import { Cluster } from './kinds/cluster.ts';
import { parseAs } from './parse.ts';
import { refusal, refusalFor } from './refusal.ts';
import { atMostBytes, withoutUserinfo, withoutUserinfos } from './shown-text.ts';
import { shown } from './shown.ts';

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function errorOf(run: () => unknown): SlipwayError {
  try {
    run();
  } catch (error) {
    if (error instanceof SlipwayError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Every way in which a value of a claim gets into a message. */
const REFUSALS: readonly ((value: string) => SlipwayError)[] = [
  (value) => refusal('Cluster "a/b"', 'spec.x', value, 'an address'),
  (value) => refusalFor('Cluster "a/b"', 'spec.x', `mirror "${value}" is not accepted`),
  (value) => errorOf(() => parseAs(z.strictObject({ host: z.string().regex(/^$/) }), { host: value }, 'Cluster "a/b"')),
  (value) => errorOf(() => parseAs(z.strictObject({ host: z.enum(['a']) }), { host: value }, 'Cluster "a/b"')),
  (value) => errorOf(() => parseAs(z.strictObject({}), { [value]: 1 }, 'Cluster "a/b"')),
  (value) => errorOf(() => parseAs(z.record(z.string(), z.int()), { [value]: 'x' }, 'Cluster "a/b"')),
];

const PASSWORD = 'fake-password';
/** Also characters that do not belong into a URL: a claim can contain them. */
const part = fc.string({ maxLength: 80 });
const url = fc
  .tuple(fc.constantFrom('http://', 'https://', 'socks5://', ''), part, part, part)
  .map(([scheme, before, after, host]) => `${scheme}user:${before}${PASSWORD}${after}@${host}`);

describe('a refusal', () => {
  test('never quotes the user and the password of a URL', () => {
    fc.assert(
      fc.property(url, fc.integer({ min: 0, max: REFUSALS.length - 1 }), (value, way) => {
        // Inside a sentence only the end of a URL can be seen.
        if (way === 1 && (!value.includes('://') || /[\s"'`]/.test(value))) return;
        const { message, reason = '', field = '' } = REFUSALS[way]!(value);
        expect(`${message}${reason}${field}`).not.toContain(PASSWORD);
      }),
      { numRuns: 500, endOnFailure: true },
    );
  });

  test('has at most 1,024 bytes on one line, and says what is accepted', () => {
    const long = fc.oneof(
      fc.string({ minLength: 900, maxLength: 2000, size: 'max' }),
      fc.string({ unit: 'grapheme', minLength: 300, maxLength: 900, size: 'max' }),
      fc.constantFrom('€', '👩‍🚀', '\n', '"', '://@').map((text) => text.repeat(2000)),
    );
    fc.assert(
      fc.property(long, fc.integer({ min: 0, max: REFUSALS.length - 1 }), (value, way) => {
        const { message, reason = '', field = '' } = REFUSALS[way]!(value);
        for (const text of [message, reason, field]) expect(bytesOf(text)).toBeLessThanOrEqual(1024);
        expect(message).toMatch(/^cannot accept Cluster "a\/b": [^\n]*$/);
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });

  test('of any claim has at most 1,024 bytes', () => {
    const spec = fc.dictionary(
      fc.constantFrom('version', 'region', 'controlPlane', 'provisioning', 'network', 'bootstrap', 'x'.repeat(3000)),
      fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
    );
    fc.assert(
      fc.property(spec, fc.string({ minLength: 900, maxLength: 1200, size: 'max' }), (fields, region) => {
        const claim: JsonObject = {
          apiVersion: 'slipway.dev/v1alpha1',
          kind: 'Cluster',
          metadata: { name: 'b', namespace: 'a' },
          spec: { ...fields, region, version: region },
        };
        expect(bytesOf(errorOf(() => parseAs(Cluster, claim, 'Cluster "a/b"')).message)).toBeLessThanOrEqual(1024);
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });
});

test('a plan does not show the user and the password of a URL either', () => {
  fc.assert(
    fc.property(url, (value) => {
      const object = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine' };
      for (const [document, path] of [
        [value, ['spec', 'bootstrap', 'config', 'mirror']],
        [[{ host: 'docker.io', mirrors: [value] }], ['spec', 'provisioning', 'registries']],
      ] as const)
        expect(shown(document as unknown as Json, path, object)).not.toContain(PASSWORD);
    }),
  );
});

describe('the user and the password of a URL are never shown', () => {
  const chars = (text: string): readonly string[] => text.split('');
  /** What RFC 3986 accepts there; %40 is an encoded @. */
  const userinfo = fc.string({
    unit: fc.constantFrom(...chars('aZ09-._~!$&()*+,;=:'), '%40', '%2F', '%3A'),
    maxLength: 12,
  });
  const name = fc.string({ unit: fc.constantFrom(...chars('aZ09-.')), minLength: 1, maxLength: 8 });
  const rest = fc.string({ unit: fc.constantFrom(...chars('aZ0.-_/?#=&@:%')), maxLength: 20 });
  const every = fc
    .record({
      scheme: fc.constantFrom('http://', 'https://', 'socks5://', 'oci://', 'git+ssh://', 'HTTP://'),
      before: userinfo,
      after: userinfo,
      host: fc.oneof(name, fc.constantFrom('[fd00::1]', '10.0.0.1', 'quay.io', 'h')),
      port: fc.constantFrom('', ':8443'),
      rest: fc.oneof(
        fc.constant(''),
        rest.map((text) => `/${text}`),
        fc.constant(`/x@sha256:${'fa4e'.repeat(16)}`),
      ),
    })
    .map(({ scheme, before, after, host, port, rest: end }) => ({
      secret: `${before}${PASSWORD}${after}`,
      url: `${scheme}${before}${PASSWORD}${after}@${host}${port}${end}`,
    }));

  test('also without a colon, and whatever follows it', () => {
    fc.assert(
      fc.property(every, ({ url }) => {
        expect(withoutUserinfo(url)).not.toContain(PASSWORD);
        for (const message of [`mirror "${url}" is not accepted`, `got ${url}, not that`, `(${url})`])
          expect(withoutUserinfos(message)).not.toContain(PASSWORD);
      }),
      { numRuns: 3000 },
    );
  });

  test('also in a list of URLs', () => {
    fc.assert(
      fc.property(
        every,
        fc.constantFrom('https://a.example.com/b', 'https://a/?b=c@d', 'quay.io/a'),
        ({ url }, other) => {
          for (const list of [`${other},${url}`, `${url},${other}`, `${other} ${url}`, `${url}\n${other}`]) {
            expect(withoutUserinfo(list)).not.toContain(PASSWORD);
            expect(withoutUserinfos(list)).not.toContain(PASSWORD);
          }
        },
      ),
    );
  });
});

const DIGEST = `sha256:${'fa4e'.repeat(16)}`;

test.for([
  `quay.io/etcd:v3.5@${DIGEST}`,
  `localhost:5000/etcd:v3.5@${DIGEST}`,
  `https://quay.io/v2/etcd@${DIGEST}`,
  `oci://quay.io/etcd:v3.5@${DIGEST}`,
  'https://host/?mail=a@b',
  'https://host?mail=a@b',
  'https://host/path/to#a@b',
  'https://registry.example.com/@scope/package',
  'https://registry.example.com/a@b/c@d',
  'git@example.com/team/repository',
  'ops@example.com',
])('%s has neither and is shown as it is', (value) => {
  expect(withoutUserinfo(value)).toBe(value);
  expect(withoutUserinfos(`mirror "${value}" is not accepted`)).toBe(`mirror "${value}" is not accepted`);
});

test.for([
  ['https://user:fake@host/path', 'https://…@host/path'],
  ['https://fake-token@host/path', 'https://…@host/path'],
  ['https://fake.token@host/?mail=a@b', 'https://…@b'],
  ['https://user:1234/fake@host', 'https://…@host'],
  ['https://user:fa?ke@host', 'https://…@host'],
  ['https://Zm/FrZQ@host', 'https://…@host'],
  ['ops@example.com:fake@host', '…@host'],
  ['user:fake@host://x', '…@host://x'],
  [`user:fake@quay.io/etcd@${DIGEST}`, `…@quay.io/etcd@${DIGEST}`],
  [`https://user:fake@quay.io/etcd@${DIGEST}`, `https://…@quay.io/etcd@${DIGEST}`],
  ['https://host:8443/path', 'https://host:8443/path'],
  ['user:fake@host', '…@host'],
  ['ssh-ed25519 AAAA ops@example.com', 'ssh-ed25519 AAAA ops@example.com'],
  ['https://user:fa@ke@host', 'https://…@host'],
] as const)('%s is shown as %s', ([value, want]) => {
  expect(withoutUserinfo(value)).toBe(want);
});

test('a message that consists of beginnings of URLs is read once, so that no claim can keep a function busy', () => {
  const message = 'https://'.repeat(100_000);
  expect(withoutUserinfos(message)).toBe(message);
  expect(withoutUserinfo(`${message}@`)).toBe('https://…@');
});

test('a text is cut in its middle, between two characters', () => {
  expect(atMostBytes('abc', 3)).toBe('abc');
  expect(atMostBytes('0123456789', 9)).toBe('01 … 89');
  expect(atMostBytes('€'.repeat(10), 15)).toBe('€ … €');
});
