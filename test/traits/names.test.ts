/**
 * What differs between bootstrappers or formats is a trait in its own folder: no other room asks for one by its name.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { BOOTSTRAPPER_TABLES } from '../../functions/bootstrap/traits.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';
import { PROVISIONER_TRAITS } from '../../functions/provisioning/traits.ts';

const NAMES = [...new Set([...Object.keys(BOOTSTRAPPERS), ...Object.keys(PROVISIONERS)])].toSorted();

/** What may name them, and why; a path that ends with / is a folder. */
const EXCEPTIONS: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  'functions/bootstrap/registry.ts': { names: Object.keys(BOOTSTRAPPERS), why: 'the registry' },
  'functions/bootstrap/traits.ts': { names: Object.keys(BOOTSTRAPPERS), why: 'the collection of their traits' },
  'functions/provisioning/registry.ts': { names: Object.keys(PROVISIONERS), why: 'the registry' },
  'functions/provisioning/traits.ts': { names: Object.keys(PROVISIONERS), why: 'the collection of their traits' },
  'functions/bootstrap/rancher/commands.ts': { names: ['rke2'], why: 'a path on hosts of the family' },
  'functions/provisioning/ignition/': { names: ['ignition-2.3'], why: 'two formats of one folder' },
  'functions/provisioning/nodeadm/': { names: ['cloud-init'], why: 'its images run that, too' },
  'lib/api/fields/bootstrap.ts': { names: ['kubeadm'], why: 'the default of a claim' },
  'lib/api/fields/provisioning.ts': { names: ['cloud-init'], why: 'the default of a claim' },
  'lib/api/contracts/bootstrap-plan.ts': {
    names: ['bottlerocket', 'kubeadm', 'nodeadm', 'talos'],
    why: 'kinds of plan, which third parties make and read; and an example',
  },
  'lib/api/contracts/payload.ts': { names: ['ignition'], why: 'an example of a word of Cluster API’s' },
  'lib/api/kinds/cluster.ts': { names: ['kubeadm'], why: 'whose way of writing a hash it is' },
  'clouds/aws/machine/ignition-stub.ts': { names: ['ignition'], why: 'writes a configuration in that language' },
  'cli/payload/': { names: ['ignition'], why: 'reads a configuration in that language' },
  'simulator/nodes/first-boot/': { names: NAMES, why: 'the judge, which shares nothing with what it judges' },
  'simulator/nodes/joining/': { names: NAMES, why: 'the judge, which shares nothing with what it judges' },
  'simulator/nodes/boot.ts': { names: ['kubeadm'], why: 'a name of dice; another would be other runs' },
};

const files = globSync('{functions,lib,clouds,simulator,cli,package,controllers,generate}/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  .toSorted();

/** Names in code, as words; not in comments, nor in paths of imports, which the linter sees to. */
function namesIn(path: string): readonly string[] {
  const code = readFileSync(join(ROOT, path), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
    .replaceAll(/ from '[^']+';$/gm, '');
  return NAMES.filter((name) => new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`).test(code)).filter(
    (name) => !path.startsWith(`functions/bootstrap/${name}/`) && !path.startsWith(`functions/provisioning/${name}/`),
  );
}

const named = files.map((path) => ({ path, names: namesIn(path) }));
const exceptionOf = (path: string) =>
  Object.entries(EXCEPTIONS).find(([place]) => (place.endsWith('/') ? path.startsWith(place) : path === place));

test('no other room names a bootstrapper or a format', () => {
  expect(files.length).toBeGreaterThan(400);
  const wrong = named.flatMap(({ path, names }) =>
    names.filter((name) => exceptionOf(path)?.[1].names.includes(name) !== true).map((name) => `${path}: ${name}`),
  );
  expect(wrong, 'ask for a trait: functions/{bootstrap,provisioning}/traits.ts').toEqual([]);
});

test('there is no exception that nothing needs', () => {
  const needed = new Set(named.filter(({ names }) => names.length > 0).map(({ path }) => exceptionOf(path)?.[0]));
  expect(Object.keys(EXCEPTIONS).filter((place) => !needed.has(place))).toEqual([]);
});

test('whoever is in a registry has traits, and nobody else', () => {
  expect(Object.keys(BOOTSTRAPPER_TABLES).toSorted()).toEqual(Object.keys(BOOTSTRAPPERS).toSorted());
  expect(Object.keys(PROVISIONER_TRAITS).toSorted()).toEqual(Object.keys(PROVISIONERS).toSorted());
});

test('a bootstrapper that is updated by a script has one', () => {
  for (const [name, { forUpdate }] of Object.entries(BOOTSTRAPPERS))
    expect(forUpdate !== undefined, name).toBe(BOOTSTRAPPER_TABLES[name]?.updatesKubernetes);
});
