/** What a plan was asked to do, parsed. */
import { UsageError } from '../exit.ts';
import type { Ref } from './world.ts';

const KINDS = new Set(['Cluster', 'NodePool']);

/** `KIND/NAME` or `KIND/NAMESPACE/NAME` */
export function parseRef(text: string): Ref {
  const [kind = '', ...rest] = text.split('/');
  const [name, namespace] = rest.toReversed();
  if (KINDS.has(kind) && name !== undefined && name !== '' && rest.length <= 2) return { kind, namespace, name };
  throw new UsageError(
    `cannot accept --delete "${text}": accepted: KIND/NAME or KIND/NAMESPACE/NAME such as NodePool/prod-memory`,
  );
}
