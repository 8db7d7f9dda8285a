/** Differences between bootstrappers or formats are traits in their own folders: no other folder uses their names. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messageOf } from '#lib/api/errors.ts';
import type { Json } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { parseAs } from '#lib/api/parse.ts';
import { bringsPart } from '#lib/cloud/traits.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { BOOTSTRAPPER_TABLES, bootstrapperTraits } from '../../functions/bootstrap/traits.ts';
import { PROVISIONERS } from '../../functions/provisioning/registry.ts';
import { PROVISIONER_TRAITS } from '../../functions/provisioning/traits.ts';
import { aCluster, aMachine } from '../support/claims.ts';
import { aRequest, aWorld } from '../support/request.ts';

const NAMES = [...new Set([...Object.keys(BOOTSTRAPPERS), ...Object.keys(PROVISIONERS)])].toSorted();

/** Places that may use the names, and why; a path that ends with / is a folder. */
const EXCEPTIONS: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  'functions/bootstrap/registry.ts': { names: Object.keys(BOOTSTRAPPERS), why: 'the registry' },
  'functions/bootstrap/configs.ts': { names: Object.keys(BOOTSTRAPPERS), why: 'the collection of what they refuse' },
  'functions/bootstrap/traits.ts': { names: Object.keys(BOOTSTRAPPERS), why: 'the collection of their traits' },
  'functions/provisioning/registry.ts': { names: Object.keys(PROVISIONERS), why: 'the registry' },
  'functions/provisioning/formats.ts': { names: Object.keys(PROVISIONERS), why: 'the collection of what they refuse' },
  'functions/provisioning/traits.ts': { names: Object.keys(PROVISIONERS), why: 'the collection of their traits' },
  'functions/bootstrap/rancher/commands.ts': { names: ['rke2'], why: 'a path on hosts of these distributions' },
  'functions/provisioning/ignition/': { names: ['ignition-2.3'], why: 'two formats in one folder' },
  'functions/provisioning/nodeadm/': { names: ['cloud-init'], why: 'its images use that, too' },
  'cli/plan/cautions/foreign-words.ts': { names: ['kubeadm'], why: 'paths of Cluster API, which only a note says' },
  'functions/bootstrap/fn.ts': { names: ['bottlerocket', 'talos'], why: 'kinds of plan that have no data disks' },
  'lib/api/fields/bootstrap.ts': { names: ['kubeadm'], why: 'the default of a claim' },
  'lib/api/fields/provisioning.ts': { names: ['cloud-init'], why: 'the default of a claim' },
  'lib/api/contracts/bootstrap-plan.ts': {
    names: ['bottlerocket', 'kubeadm', 'nodeadm', 'talos'],
    why: 'kinds of plan, which third parties use; and an example',
  },
  'lib/api/contracts/payload.ts': { names: ['ignition'], why: 'an example with a term of Cluster API' },
  'lib/api/kinds/cluster.ts': { names: ['kubeadm'], why: 'the format of its hash' },
  'lib/api/other-words.ts': {
    names: ['cloud-init', 'cloudbase-init', 'ignition'],
    why: 'words of other projects for them, which only a refusal says',
  },
  'lib/node/bootstrap-token.ts': { names: ['kubeadm'], why: 'a group in every cluster of that tool' },
  'lib/node/members.ts': { names: ['k3s', 'rke2'], why: 'prefixes of annotations' },
  'lib/cloud/ignition-stub.ts': { names: ['ignition'], why: 'writes a configuration in that language' },
  'cli/files/other-projects.ts': { names: ['kubeadm'], why: 'files of that tool, of which nothing is made' },
  'cli/habits.ts': { names: ['ignition'], why: 'commands that people type' },
  'cli/payload/': { names: ['ignition'], why: 'reads a configuration in that language' },
  'simulator/nodes/first-boot/': { names: NAMES, why: 'the judge, which shares no code with what it judges' },
  'simulator/nodes/joining/': { names: NAMES, why: 'the judge, which shares no code with what it judges' },
  'simulator/nodes/boot.ts': { names: ['kubeadm'], why: 'a name of random numbers; another would change the runs' },
};

const files = globSync('{functions,lib,clouds,simulator,cli,package,controllers,generate}/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  .toSorted();

/** Names in code, as words; not in comments, and not in import paths, which the linter checks. */
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

test('no other folder names a bootstrapper or a format', () => {
  expect(files.length).toBeGreaterThan(400);
  const wrong = named.flatMap(({ path, names }) =>
    names.filter((name) => exceptionOf(path)?.[1].names.includes(name) !== true).map((name) => `${path}: ${name}`),
  );
  expect(wrong, 'ask for a trait: functions/{bootstrap,provisioning}/traits.ts').toEqual([]);
});

test('every exception is needed', () => {
  const needed = new Set(named.filter(({ names }) => names.length > 0).map(({ path }) => exceptionOf(path)?.[0]));
  expect(Object.keys(EXCEPTIONS).filter((place) => !needed.has(place))).toEqual([]);
});

test('everything in a registry has traits, and nothing else has', () => {
  expect(Object.keys(BOOTSTRAPPER_TABLES).toSorted()).toEqual(Object.keys(BOOTSTRAPPERS).toSorted());
  expect(Object.keys(PROVISIONER_TRAITS).toSorted()).toEqual(Object.keys(PROVISIONERS).toSorted());
});

const switches = Object.entries(BOOTSTRAPPER_TABLES).flatMap(([name, { brings = [] }]) =>
  brings.flatMap(({ part, unless }) =>
    unless.flatMap(({ field, is }) => is.map((off) => ({ name, part, field, off }))),
  ),
);

test.for(switches)('with $field: $off, $name brings no $part, and a claim may say so', async (one) => {
  const { name, part, field, off } = one;
  const configs = [off, [off]].map((value) =>
    field.toReversed().reduce<Json>((inner, key) => ({ [key]: inner }), value),
  );
  const refusals = await Promise.all(configs.map((config) => refusalOf(name, config)));
  const accepted = configs.filter((_, index) => refusals[index] === undefined);
  expect(accepted.length, refusals.join('; ')).toBeGreaterThan(0);
  for (const config of accepted) expect(bringsPart(bootstrapperTraits(name), part, config)).toBe(false);
});

async function refusalOf(provider: string, config: Json): Promise<string | undefined> {
  const composite = aCluster({ spec: { version: 'v1.35.4', bootstrap: { provider, config } } });
  try {
    await bootstrap(aRequest({ composite }), aWorld());
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

test('a bootstrapper writes a script for each field that the rules update in place, and for no other', () => {
  const machine = parseAs(Machine, aMachine(), 'Machine');
  const cluster = parseAs(Cluster, aCluster(), 'Cluster');
  for (const [name, { forUpdate }] of Object.entries(BOOTSTRAPPERS)) {
    const { updatesKubernetes, updatesRegistries, kubelet } = bootstrapperTraits(name);
    const fields = [
      ...(updatesKubernetes ? ['spec.version'] : []),
      ...(updatesRegistries ? ['spec.provisioning.registries'] : []),
      ...(kubelet === undefined ? [] : [`spec.bootstrap.config.${kubelet.field}`]),
    ];
    const scripts = forUpdate?.({ machine, cluster, owner: 'Machine "a"' }) ?? [];
    expect(scripts.flatMap((script) => script.fields).toSorted(), name).toEqual(fields.toSorted());
  }
});
