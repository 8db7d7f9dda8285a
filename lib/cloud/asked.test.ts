/** A machine gets the most exact image of the catalog that boots on its size, and no other. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Asked, imageFault, imageOf } from './asked.ts';
import type { NativeNames } from './native-names.ts';

const names = {
  instanceType: { pattern: /^size-/, accepted: 'a size' },
  image: { pattern: /^id:/, accepted: 'an id' },
  region: { pattern: /./, accepted: 'a region' },
  architectureOf: (size) => (size === 'size-arm' ? 'arm64' : size === 'size-x86' ? 'amd64' : undefined),
} satisfies NativeNames;

const image = fc.constantFrom('linux', 'linux-arm64', 'linux-amd64');
const version = fc.constantFrom('v1.34.4', 'v1.35.4');
const architecture = fc.constantFrom('amd64', 'arm64');
const entry = fc.record({ image, version: fc.option(version), architecture: fc.option(architecture) });
const size = fc.constantFrom('size-arm', 'size-x86', 'size-new');

test('in any catalog', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(entry, { selector: (one) => JSON.stringify(one) }),
      image,
      version,
      size,
      (entries, ...words) => {
        const [name, kubernetes, instanceType] = words;
        const all = entries.map((one, n) => ({ ...one, id: `image ${n}` }));
        const keyOf = ({ image: of, version: in_, architecture: on }: (typeof all)[number]): string =>
          [of, in_, on].filter((part) => part !== null).join('/');
        const images = Object.fromEntries(all.map((one) => [keyOf(one), { here: one.id }]));
        const wanted = names.architectureOf(instanceType);
        const boots = (one: (typeof all)[number]): boolean =>
          wanted === undefined
            ? one.architecture === null
            : (one.architecture ?? (one.image.endsWith('arm64') ? 'arm64' : 'amd64')) === wanted;
        const fitting = all
          .filter((one) => one.image === name && (one.version ?? kubernetes) === kubernetes && boots(one))
          .toSorted((a, b) => exactness(b) - exactness(a));
        const asked: Asked = { instanceType, image: name, version: kubernetes };
        expect(imageOf(asked, { classes: {}, images }, 'here', names)).toBe(fitting[0]?.id);
        expect(imageFault(asked, { classes: {}, images }, 'here', names) === undefined).toBe(fitting.length > 0);
      },
    ),
    { numRuns: 500 },
  );
});

function exactness(one: { readonly version: string | null; readonly architecture: string | null }): number {
  return (one.version === null ? 0 : 2) + (one.architecture === null ? 0 : 1);
}

test.for([
  { image: 'id:server-arm64', size: 'size-x86', found: false },
  { image: 'id:server_aarch64', size: 'size-arm', found: true },
  { image: 'id:server-amd64', size: 'size-arm', found: false },
  { image: 'id:server', size: 'size-arm', found: true },
  { image: 'id:server-arm64', size: 'size-new', found: true },
  { image: 'id:farm64', size: 'size-x86', found: true },
])('an id of the cloud, $image, on $size: $found', ({ image: id, size: instanceType, found }) => {
  const asked = { instanceType, image: id, version: 'v1.35.4' };
  expect(imageOf(asked, { classes: {}, images: {} }, 'here', names)).toBe(found ? id : undefined);
});

test('the id of an image says its architecture where its name does not', () => {
  const catalog = { classes: {}, images: { linux: { here: 'id:linux-arm64' } }, defaultImage: 'linux' };
  const onArm = { instanceType: 'size-arm', version: 'v1.35.4' };
  expect(imageOf(onArm, catalog, 'here', names)).toBe('id:linux-arm64');
  expect(imageOf({ ...onArm, instanceType: 'size-x86' }, catalog, 'here', names)).toBeUndefined();
});
