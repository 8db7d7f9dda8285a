/** Imports only go to lower layers: all existing ones do, and the linter refuses others. */
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';
import { isDown, layerOf, layers, type Layer } from './layers.ts';
import { allImports } from './imports.ts';
import { type Probe, refusedOf } from './linter.ts';

const all = layers();

/** They may import anything. */
const TOP: ReadonlySet<string> = new Set(['package/', 'generate/', 'cli/']);

describe('the table of the layers', () => {
  test('has every folder of lib, and lets each import only from folders below it', () => {
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(readdirSync(join(ROOT, 'lib')).map((one) => `lib/${one}/`)),
    );
    for (const [index, { name, importsFrom }] of all.entries())
      for (const layer of importsFrom)
        expect(
          all.findIndex((one) => one.name === layer),
          `${name} imports from ${layer}`,
        ).toBeGreaterThan(index);
  });

  test('allows every import that exists, in any syntax', () => {
    const imports = allImports();
    expect(imports.length).toBeGreaterThan(1000);
    const wrong = imports.filter(({ from, to }) => !isDown(from, to, all));
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('allows no import that is not needed, between folders that are in use; words may be imported anywhere', () => {
    const arrows = allImports().map(({ from, to }) => [layerOf(from, all)?.name, layerOf(to, all)?.name]);
    const used = new Set(arrows.map((arrow) => arrow.join(' -> ')));
    const inUse = new Set(arrows.flat());
    const unused = all
      .filter(({ name }) => !TOP.has(name))
      .flatMap(({ name, importsFrom }) =>
        importsFrom.filter((layer) => layer !== 'lib/api/').map((layer) => [name, layer]),
      )
      .filter((arrow) => arrow.every((layer) => inUse.has(layer)) && !used.has(arrow.join(' -> ')));
    expect(unused).toEqual([]);
  });
});

/** Where a folder is tested from: the folder itself, and a subfolder. A cloud and a controller need not exist. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'clouds/<cloud>/': ['clouds/made-up/probe.ts', 'clouds/made-up/machine/probe.ts', 'clouds/made-up/network/probe.ts'],
  'clouds/<cloud>/simulated/': ['clouds/made-up/simulated/probe.ts'],
  'clouds/<list>.ts': ['clouds/probe.ts'],
  'clouds/simulated.ts': ['clouds/simulated.ts'],
  'controllers/<name>/': ['controllers/made-up/probe.ts', 'controllers/made-up/deep/probe.ts'],
  'functions/<name>/': ['functions/machine/probe.ts', 'functions/machine/deep/deeper/probe.ts'],
  'functions/<name>/main.ts': ['functions/machine/main.ts'],
  'functions/<name>/**/traits.ts': ['functions/bootstrap/traits.ts', 'functions/provisioning/talos/traits.ts'],
};

/** What is imported from a folder: if there is one for each name, that with the name of the importer, and others. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  'clouds/<cloud>/': ['clouds/aws/machine/x.ts', 'clouds/other/x.ts'],
  'clouds/<cloud>/simulated/': ['clouds/aws/simulated/x.ts'],
  'clouds/<list>.ts': ['clouds/list.ts'],
  'clouds/simulated.ts': ['clouds/simulated.ts'],
  'controllers/<name>/': ['controllers/other/x.ts'],
  'functions/<name>/': [
    'functions/machine/x.ts',
    'functions/bootstrap/configs.ts',
    ...functions().map((name) => `functions/${name}/deep/x.ts`),
  ],
  'functions/<name>/main.ts': ['functions/bootstrap/main.ts'],
  'functions/<name>/**/traits.ts': ['functions/bootstrap/traits.ts'],
};

function functions(): readonly string[] {
  return readdirSync(join(ROOT, 'functions')).filter((name) => name !== 'machine');
}

const placesOf = ({ name }: Layer): readonly string[] => PLACES[name] ?? [`${name}probe.ts`, `${name}deep/probe.ts`];
const targetsOf = ({ name }: Layer): readonly string[] => TARGETS[name] ?? [`${name}x.ts`];

/** Both forms of an import; only some folders have the alias. */
function specifiers(from: string, to: string): readonly string[] {
  const path = relative(dirname(from), to);
  const alias = /^(lib|simulator|clouds)\//.test(to) ? [`#${to}`] : [];
  return [...alias, path.startsWith('.') ? path : `./${path}`];
}

interface Tried extends Probe {
  readonly to: string;
  readonly isDown: boolean;
}

const tried: readonly Tried[] = all.flatMap((layer) =>
  placesOf(layer).flatMap((from) =>
    all
      .flatMap(targetsOf)
      .filter((to) => to !== from)
      .flatMap((to) =>
        specifiers(from, to).map((specifier) => ({ from, to, specifier, isDown: isDown(from, to, all) })),
      ),
  ),
);

const SDK = '@crossplane-org/function-sdk-typescript';
const GRPC = '@grpc/grpc-js';
const packages: readonly Probe[] = all.flatMap((layer) =>
  placesOf(layer).flatMap((from) => [SDK, GRPC].map((specifier) => ({ from, specifier }))),
);

describe('the linter', () => {
  let refused: ReadonlySet<Probe>;

  beforeAll(() => {
    refused = refusedOf([...tried, ...packages]);
  });

  const texts = (probes: readonly Probe[]) => probes.map(({ from, specifier }) => `${from}: ${specifier}`);

  test.for(all.slice(1).map((layer) => [layer.name, layer] as const))(
    'refuses %s an import that is not below it',
    ([, layer]) => {
      const wrong = tried.filter((probe) => !probe.isDown && layerOf(probe.from, all) === layer);
      expect(wrong.length).toBeGreaterThan(0);
      expect(texts(wrong.filter((probe) => !refused.has(probe)))).toEqual([]);
    },
  );

  test.for(all.map((layer) => [layer.name, layer] as const))('allows %s an import below it', ([, layer]) => {
    const right = tried.filter((probe) => probe.isDown && layerOf(probe.from, all) === layer);
    expect(texts(right.filter((probe) => refused.has(probe)))).toEqual([]);
  });

  test('allows the SDK of functions only in lib/wire, and gRPC where it is served', () => {
    const passed = packages.filter((probe) => !refused.has(probe));
    const roomsWith = (specifier: string) =>
      new Set(passed.filter((probe) => probe.specifier === specifier).map(({ from }) => layerOf(from, all)?.name));
    expect(roomsWith(SDK)).toEqual(new Set(['lib/wire/']));
    expect(roomsWith(GRPC)).toEqual(new Set(['lib/wire/', 'lib/serve/']));
  });
});
