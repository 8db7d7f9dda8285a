/** The API server and the functions agree about hosts, and a suggestion is always one that is accepted. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateRules } from './schema/cel.ts';
import { DOMAIN_CEL, HOST_CEL, hostsMeant, isDomain, isHost } from './host-name.ts';

const holds = (rule: string, value: string): boolean =>
  validateRules({ type: 'string', 'x-kubernetes-validations': [{ rule, message: 'no' }] }, value).length === 0;

test.for([
  'api.example.com',
  'api',
  'a1-b.c',
  '1.example.com',
  `${'x'.repeat(63)}.com`,
  '10.0.0.1',
  'fd00::1',
  '127.0.0.1',
])('%s is a host', (host) => expect([isHost(host), holds(HOST_CEL, host)]).toEqual([true, true]));

test.for([
  { wrote: 'api.example.com:6443', meant: ['api.example.com'] },
  { wrote: 'https://api.example.com:6443/livez', meant: ['api.example.com'] },
  { wrote: 'https://me@api.example.com', meant: ['api.example.com'] },
  { wrote: '[fd00::1]:6443', meant: ['fd00::1'] },
  { wrote: '10.0.0.1:6443', meant: ['10.0.0.1'] },
  { wrote: 'API.example.com', meant: ['api.example.com'] },
  { wrote: 'api.example.com.', meant: ['api.example.com'] },
  { wrote: 'api_1.example.com', meant: ['api-1.example.com'] },
  { wrote: '300.1.1.1', meant: [] },
  { wrote: '10.0.0.01', meant: [] },
  { wrote: '10.0.0', meant: [] },
  { wrote: '::ffff:10.0.0.1', meant: [] },
  { wrote: 'fe80::1%eth0', meant: [] },
  { wrote: 'api..example.com', meant: [] },
  { wrote: '-api', meant: [] },
  { wrote: `${'x'.repeat(64)}.com`, meant: [] },
  { wrote: '', meant: [] },
])('$wrote is none; meant was $meant', ({ wrote, meant }) => {
  expect([isHost(wrote), holds(HOST_CEL, wrote)]).toEqual([false, false]);
  expect(hostsMeant(wrote)).toEqual(meant);
});

const texts = fc.stringMatching(/^[a-z0-9A-F.:_%[\]/-]{0,24}$/);

test('the rules of the API server say the same of any text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(holds(HOST_CEL, text)).toBe(isHost(text));
      expect(holds(DOMAIN_CEL, text)).toBe(isDomain(text));
      expect(hostsMeant(text).every((one) => one !== text && isHost(one))).toBe(true);
    }),
  );
});
