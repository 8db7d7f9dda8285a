/**
 * The smallest function: composes one ConfigMap that holds the XR's name and the time of the call. Its input makes
 * it behave badly on purpose: `mode` slow, refuse, break or huge.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SlipwayError } from '#lib/api/errors.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { Reply } from '#lib/fn/reply.ts';
import { serve } from '#lib/fn/serve.ts';

await serve('function-echo', async (request, world) => {
  const mode = stringAt(request.input, 'mode');
  if (mode === 'refuse')
    throw new SlipwayError('InvalidClaim', 'cannot accept Echo "n": spec.x: 1 is not accepted; accepted: 2');
  if (mode === 'break') throw new Error('a secret of the inside');
  if (mode === 'slow') await sleep(Number(at(request.input, 'ms') ?? 1000));
  const data = { name: stringAt(request.observed.composite, 'metadata', 'name') ?? '', now: world.now.toISOString() };
  const filler = mode === 'huge' ? { filler: 'x'.repeat(5 * 1024 * 1024) } : {};
  return new Reply(request).compose(
    'echo',
    { apiVersion: 'v1', kind: 'ConfigMap', data: { ...data, ...filler } },
    true,
  );
});
