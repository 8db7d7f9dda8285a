/** Faults of first boots are gone: each program finds what it should. `npm run judges:before` shows that it can find more. */
import { beforeAll, describe, expect, test } from 'vitest';
import { findingOf } from './case.ts';
import { CASES } from './cases.ts';
import { type Checkout, checkoutAt, HERE } from './checkout.ts';
import { fetching } from './store.ts';

let code: Checkout;
beforeAll(async () => {
  code = await checkoutAt(HERE);
});

for (const { name, judge, missing } of CASES) {
  const why = missing();
  if (why !== undefined) process.stdout.write(`skipped: ${name}: ${judge}: ${why}\n`);
}

describe.for(CASES)('$judge: $name', (given) => {
  const { now, before, missing } = given;
  test.skipIf(missing() !== undefined)('finds what it should', async () => {
    const found = await findingOf(given, code);
    expect(found.slice(0, now.length)).toBe(now);
  });

  test('would find something else if the fault were back', () => {
    expect(now.startsWith(before) || before.startsWith(now)).toBe(false);
  });
});

const proxied = CASES.find(({ judge }) => judge.endsWith('a proxy'));
test.skipIf(proxied?.missing() !== undefined).for(['stub', 'script'] as const)(
  'the %s asks by the proxy, but for hosts that the claim leaves out',
  async (script) => {
    const asked = (none: readonly string[]) => fetching(code, script, { isOpen: true, none });
    expect(await asked([])).toBe('fetched by the proxy: 127.0.0.2');
    expect(await asked(['127.0.0.2'])).toBe('fetched directly');
  },
);
