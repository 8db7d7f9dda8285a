/** Files arrive in every format that can write files, down to the last byte. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { filesOf } from '../../test/support/first-boot.ts';
import { ignitionFiles } from '../../test/support/ignition.ts';
import { partOf } from '../../test/support/mime.ts';
import { aNodeadmPlan, aPlan, aPlanFile, rendered } from './plan.fixture.ts';

interface Arrived {
  readonly path: string;
  readonly bytes: Buffer;
  readonly permissions: string;
  readonly owner: string;
  readonly append: boolean;
}

interface Format {
  readonly format: string;
  readonly read: (text: string) => readonly Arrived[];
  readonly planOf: (files: PlanFile[]) => unknown;
}

const scripted = (files: PlanFile[]) => aPlan({ files });

const FORMATS: readonly Format[] = [
  { format: 'cloud-init', read: filesOf, planOf: scripted },
  { format: 'ignition', read: ignitionFiles, planOf: scripted },
  { format: 'ignition-2.3', read: ignitionFiles, planOf: scripted },
  {
    format: 'nodeadm',
    read: (text) => filesOf(partOf(text, 'text/cloud-config')),
    planOf: (files) => aNodeadmPlan({ files: files as unknown as JsonObject[] }),
  },
];

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((values) => Buffer.from(values)),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(text)),
  fc.string({ unit: 'grapheme-ascii', maxLength: 100 }).map((text) => Buffer.from(text)),
  fc
    .array(
      fc.constantFrom(
        '{{ v }}',
        '{% raw %}',
        '%',
        "'",
        '"',
        '\\',
        '\n',
        '\r\n',
        '\t',
        ' ',
        '  ',
        '#cloud-config',
        '---',
        ': ',
        '${instanceId}',
        '\u0085',
        '\u2028',
        '\u007f',
        '\ufeff',
        '😀',
        'é',
        'a',
        '- ',
        '|',
        '>',
        '&a',
        '*a',
        '!!x',
        '\0',
      ),
      { maxLength: 12 },
    )
    .map((parts) => Buffer.from(parts.join(''))),
);
const mode = fc.constantFrom('0644', '0600', '0755', '0400', '0777');
/** The script of cloud-init changes the owner of files with a numeric owner; test/judges/same-host runs it. */
const owner = fc.constantFrom('root:root', 'ops:ops', 'root:adm');
const file = fc.record({ content: bytes, mode, owner, append: fc.boolean() });

type Given = typeof file extends fc.Arbitrary<infer Value> ? Value : never;

const wanted = (folder: string, files: readonly Given[]) =>
  files.map(({ content, mode, owner: whose, append }, index) => ({
    path: `/opt/${folder}-${index}`,
    content: content.toString('base64'),
    permissions: mode,
    owner: whose,
    append,
  }));

test.for(FORMATS)('$format: files of plan and claim arrive with mode and owner', async ({ format, read, planOf }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 4 }), fc.array(file, { maxLength: 4 }), async (planned, claimed) => {
      const plan = planOf(planned.map(({ content, ...rest }, i) => aPlanFile(`/opt/plan-${i}`, content, rest)));
      const files = claimed.map(({ content, ...rest }, i) => ({
        ...rest,
        path: `/opt/claim-${i}`,
        content: content.toString('base64'),
        encoding: 'base64',
      }));
      const arrived = read(await rendered({ format, files }, plan))
        .filter(({ path }) => /^\/opt\/(claim|plan)-/.test(path))
        .map(({ path, bytes: content, permissions, owner: whose, append }) => ({
          path,
          content: content.toString('base64'),
          permissions,
          owner: whose,
          append,
        }));
      expect(arrived).toEqual([...wanted('claim', claimed), ...wanted('plan', planned)]);
    }),
    { numRuns: 200 },
  );
});
