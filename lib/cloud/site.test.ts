/** Clouds refuse a second rule for the same block: AWS finds a duplicate, and the cluster never becomes ready. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiClients } from './site.ts';

const blocks = fc.array(fc.constantFrom('10.0.0.0/8', '192.0.2.0/24', '198.51.100.0/24', '0.0.0.0/0'));

test('blocks that a claim or a platform writes twice are there once, in the same order', () => {
  fc.assert(
    fc.property(blocks, blocks, (allowed, managementCIDRs) => {
      const { allowedCIDRs, clientCIDRs } = apiClients({ input: { managementCIDRs } }, allowed);
      expect(allowedCIDRs).toEqual([...new Set(allowed)].toSorted());
      expect(clientCIDRs).toEqual([...new Set([...allowed, ...managementCIDRs])].toSorted());
    }),
  );
});
