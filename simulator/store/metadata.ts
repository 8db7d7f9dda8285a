/** What the API server says of an object's metadata: the fields that every object may have, its labels and annotations. */
import { isKey, isLabelValue, keyRefused, LABEL_VALUE } from '#lib/api/fields/mark-rules.ts';
import { formatPath, type Issue, show } from '#lib/api/issues.ts';
import { isJsonObject, type KubeObject } from '#lib/api/json.ts';
import { oneOf } from '#lib/api/nearest.ts';

/** Fields that people write, and those of an object that was read from a cluster. */
const WRITTEN = ['annotations', 'finalizers', 'generateName', 'labels', 'name', 'namespace', 'ownerReferences'];
const KEPT: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Fields of metadata that no object has: kubectl refuses them. */
export function unknownMetadata({ metadata }: KubeObject): readonly Issue[] {
  return Object.entries(metadata ?? {})
    .filter(([key, value]) => value !== undefined && !WRITTEN.includes(key) && !KEPT.has(key))
    .map(([key]) => ({
      path: formatPath(['metadata', key]),
      message: `unknown field; accepted: ${oneOf(key, WRITTEN)}`,
    }));
}

/** Labels and annotations that are refused. */
export function markIssues({ metadata }: KubeObject): readonly Issue[] {
  return [
    ...issuesOf('labels', metadata?.labels, isKey, (value) => (isLabelValue(value) ? undefined : LABEL_VALUE)),
    ...issuesOf(
      'annotations',
      metadata?.annotations,
      (key) => isKey(key.toLowerCase()),
      () => undefined,
    ),
  ];
}

function issuesOf(
  field: 'labels' | 'annotations',
  marks: unknown,
  isAccepted: (key: string) => boolean,
  refused: (value: string) => string | undefined,
): readonly Issue[] {
  if (marks === undefined || marks === null) return [];
  const path = formatPath(['metadata', field]);
  if (!isJsonObject(marks)) return [{ path, message: `${show(marks)} is not accepted; accepted: an object` }];
  return Object.entries(marks).flatMap(([key, value]) => {
    if (!isAccepted(key)) return [{ path, message: keyRefused(key) }];
    const why = typeof value === 'string' ? refused(value) : `is not accepted; accepted: a string${quoted(value)}`;
    return why === undefined ? [] : [{ path: formatPath(['metadata', field, key]), message: `${show(value)} ${why}` }];
  });
}

/** YAML takes 1 and true without quotes for no text. */
function quoted(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? ` in quotes: "${value}"` : '';
}
