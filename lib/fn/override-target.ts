/** The resource that an override names: a name that nobody composes is a typing error, and would change nothing. */
import type { Override } from '#lib/api/fields/infrastructure.ts';
import { type Issue, withValue } from '#lib/api/issues.ts';
import { alike } from '#lib/api/nearest.ts';
import { isLike } from '#lib/api/pattern.ts';

/**
 * Why no resource of its kind has the name of an override, with the path of the field below it.
 * @param names  composition resource names of its kind; none: not known
 */
export function refusedResource({ kind, resource }: Override, names: readonly string[] = []): Issue | undefined {
  if (resource === undefined || names.length === 0 || names.some((name) => mayMean(resource, name))) return undefined;
  const accepted = alike(resource, names, `other names of resources of kind ${kind}`);
  return { path: 'resource', message: withValue(resource, `is not accepted; accepted: ${accepted}`) };
}

/** Whether some text is like both. */
function mayMean(pattern: string, name: string): boolean {
  if (isLike(name, pattern) || isLike(pattern, name)) return true;
  if (!pattern.includes('*') || !name.includes('*')) return false;
  const [before, known] = [pattern, name].map((text) => text.slice(0, text.indexOf('*')));
  return before !== undefined && known !== undefined && (before.startsWith(known) || known.startsWith(before));
}
