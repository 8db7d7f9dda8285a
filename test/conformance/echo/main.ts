/** The smallest function: composes one ConfigMap that holds the XR's name and the time of the call. */
import { stringAt } from '#lib/api/json.ts';
import { Reply } from '#lib/fn/reply.ts';
import { serve } from '#lib/fn/serve.ts';

await serve('function-echo', (request, world) => {
  const data = { name: stringAt(request.observed.composite, 'metadata', 'name') ?? '', now: world.now.toISOString() };
  return new Reply(request).compose('echo', { apiVersion: 'v1', kind: 'ConfigMap', data }, true);
});
