/** Whether the provider of a machine that was made before does not find it any more. */
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { VirtualMachine } from './machine.ts';

/**
 * The provider begins to create it: it does not find it any more, and cannot make it again. The condition stays while the
 * provider cannot look, so what went wrong has to be the creation.
 * @param refused  what the provider says also of a machine that is there: it was refused before it could look
 */
export function notFound(observed: KubeObject, refused: RegExp): VirtualMachine['notFound'] {
  if (conditionOf(observed, 'Ready')?.reason !== 'Creating') return undefined;
  const synced = conditionOf(observed, 'Synced');
  if (synced?.status !== 'False') return { message: undefined };
  const message = synced.message ?? '';
  return /^(?:async )?create failed\b/.test(message) && !refused.test(message) ? { message } : undefined;
}
