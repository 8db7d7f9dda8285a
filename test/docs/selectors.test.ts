/** A claim that a page shows whole can be applied: it says which Composition, since several are installed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../cli/files/repository.ts';
import { at } from '#lib/api/json.ts';
import { pages } from './pages.ts';

const shown = pages().flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```yaml\n(?<body>.*?)^```/gms)].flatMap(({ groups }) =>
    parseAllDocuments(groups?.['body'] ?? '').map((document) => ({ page, object: document.toJS() as unknown })),
  ),
);
/** Others show a part of a claim only. */
const whole = shown.filter(
  ({ object }) =>
    at(object, 'metadata', 'name') !== undefined &&
    ((at(object, 'kind') === 'NodePool' && at(object, 'spec', 'clusterRef') !== undefined) ||
      (at(object, 'kind') === 'Cluster' && at(object, 'spec', 'controlPlane') !== undefined)),
);

test('pages show whole claims', () => {
  expect(whole.length).toBeGreaterThan(2);
});

test.for(whole)('$page: $object.kind $object.metadata.name selects its Composition', ({ object }) => {
  expect(Object.keys(at(object, 'spec', 'crossplane', 'compositionSelector', 'matchLabels') ?? {})).not.toEqual([]);
});
