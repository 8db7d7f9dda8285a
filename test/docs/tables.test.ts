/** A table that lists all objects of some kind lists every one, and none that does not exist. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { MachineUpdate } from '#lib/api/contracts/machine-update.ts';
import { customisation } from '#lib/api/fields/provisioning.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import { EXIT, PLAN_EXIT } from '../../cli/exit.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { PlanEntry } from '../../cli/plan/entry.ts';
import { bootstrapperTraits } from '../../functions/bootstrap/traits.ts';
import { InPlaceUpdateInput } from '../../functions/in-place-update/input.ts';
import { PROVISIONER_TRAITS } from '../../functions/provisioning/traits.ts';
import { codeIn, tableIn } from './pages.ts';

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();
const namedIn = (rows: readonly (readonly string[])[], column: number) =>
  sorted(rows.flatMap((cells) => codeIn(cells[column] ?? '')));

/** Names of a folder's modules, without tests. */
const modulesOf = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => basename(file, '.ts'));

/** As a table has them, with a slash at the end. */
const foldersIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'golden')
    .map(({ name }) => `${name}/`);

describe('the page about the architecture', () => {
  const page = 'docs/architecture.md';

  it('has every contract', () => {
    const named = namedIn(tableIn(page, 'contract', 'from → to'), 2).filter((code) => code.endsWith('.ts'));
    expect(named).toEqual(modulesOf('lib/api/contracts').map((name) => `lib/api/contracts/${name}.ts`));
  });

  it('has every trait', () => {
    expect(namedIn(tableIn(page, 'trait of a bootstrap provider'), 0)).toEqual(
      sorted(Object.keys(bootstrapperTraits(''))),
    );
    const keys = Object.values(PROVISIONER_TRAITS).flatMap((traits) => Object.keys(traits));
    expect(namedIn(tableIn(page, 'trait of a format'), 0)).toEqual(sorted(keys));
  });
});

const MODULES = ['controllers/node', 'lib/fn', 'lib/kube', 'lib/node', 'lib/wire'];

test.for(MODULES)('the README of %s has every module and every folder', (folder) => {
  const named = namedIn(tableIn(`${folder}/README.md`, 'file'), 0);
  expect(named).toEqual(sorted([...modulesOf(folder), ...foldersIn(folder)]));
});

test('the page about first boot has every field of spec.provisioning', () => {
  const named = namedIn(tableIn('docs/first-boot.md', 'field', 'what'), 0).map((path) => path.replace(/\..*$/, ''));
  expect(sorted(named)).toEqual(sorted(Object.keys(customisation)));
});

test('the page about pools has the Machine annotations that users set', () => {
  const byItsPool = new Set<string>([ANNOTATION.remediationFor, ANNOTATION.template]);
  const marks = Object.values(ANNOTATION).filter((name) => !byItsPool.has(name));
  const named = namedIn(tableIn('functions/nodepool/README.md', 'annotation'), 0);
  expect(named.filter((name) => name.startsWith('slipway.dev/'))).toEqual(sorted(marks));
});

describe('the page about plans', () => {
  const page = 'docs/plan.md';

  it('has every key of a line', () => {
    expect(namedIn(tableIn(page, 'key', 'meaning'), 0)).toEqual(sorted(Object.keys(PlanEntry.shape)));
  });

  it('has every decision', () => {
    const row = tableIn(page, 'key', 'meaning').find(([key]) => key === '`decision`');
    expect(sorted(codeIn(row?.[1] ?? ''))).toEqual(sorted(PlanEntry.shape.decision.options));
  });

  it('has every exit code', () => {
    const codes = tableIn(page, 'exit code').flatMap(([code = '']) => code.split(', ').map(Number));
    const all = [...Object.values(PLAN_EXIT), EXIT.failed, EXIT.usage];
    expect(codes.toSorted((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b));
  });
});

test('the page about updates in place has every decision, and every place an updater runs on', () => {
  const page = 'docs/in-place-updates.md';
  const { otherwise } = InPlaceUpdateInput.shape;
  const { runsOn } = MachineUpdate.shape.updaters.element.shape;
  expect(namedIn(tableIn(page, 'decision'), 0)).toEqual(sorted(otherwise.unwrap().options));
  expect(namedIn(tableIn(page, '`runsOn`'), 0)).toEqual(sorted(runsOn.options));
});

test.for(['package', 'simulator'])('the README of %s names every folder in it', (room) => {
  const named = namedIn(tableIn(`${room}/README.md`, 'folder'), 0).filter((path) => /^[a-z-]+\/$/.test(path));
  const there = readdirSync(join(ROOT, room), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(named).toEqual(sorted(there.map(({ name }) => `${name}/`)));
});
