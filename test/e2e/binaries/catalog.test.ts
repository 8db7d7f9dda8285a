import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CROSSPLANES, LATEST, MANIFESTS, type Program, PROGRAMS, inVersion } from './catalog.ts';
import { built, builtFolder, goFolder } from './find.ts';

const core: Program | undefined = PROGRAMS.find(({ name }) => name === 'crossplane-core');

test.for(CROSSPLANES)('the core of Crossplane %s says the version that its module pins', (version) => {
  const { module, settings } = inVersion(core!, version);
  const pins = readFileSync(join(goFolder(module), 'go.mod'), 'utf8');
  expect(pins).toContain(`github.com/crossplane/crossplane/v2 v${version}\n`);
  expect(settings).toEqual([expect.stringMatching(`=v${version}$`)]);
});

test('each version of Crossplane has its own program and manifests, and shares every other program', () => {
  for (const place of [
    (version) => built(inVersion(core!, version)),
    (version) => builtFolder(inVersion(MANIFESTS, version)),
  ] as const satisfies ((version: (typeof CROSSPLANES)[number]) => string)[])
    expect(new Set(CROSSPLANES.map(place)).size).toBe(CROSSPLANES.length);
  const others = PROGRAMS.filter((program) => program !== core);
  for (const version of CROSSPLANES) expect(others.map((program) => inVersion(program, version))).toEqual(others);
  expect(inVersion(core!, LATEST)).toBe(core);
});
