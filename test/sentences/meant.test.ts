/** Who mistypes a name is told which was probably meant: every message that refuses one asks `lib/api/nearest.ts`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';

/** What is accepted is put together, or something is said to be unknown. */
const REFUSES: readonly RegExp[] = [
  /accepted: [^`'"]*\$\{/,
  /`[^`]*accepted[^`]*\$\{[^}]*\.join\(/,
  /\brefusal\([^;]*\.join\(/,
  /\baccepted\b[^=;]*=[^=>;][^;]*\.join\(/,
  /['"`][^'"`]*\bunknown (?:\$\{|field|name|kind|option|command)/,
];
const ASKS = '/nearest.ts';

/** Where no name is refused, and whose names are not known. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'cli/describe/describe.ts': 'the object is there in each namespace that is listed',
  'cli/plan/deleted.ts': 'a form; a kind is refused with a list where references are parsed',
  'cli/render/render.ts': 'the two files of the command, in their order',
  'cli/simulate/deletion.ts': 'the object is there in each namespace that is listed',
  'cli/files/claims.ts': 'no object is named: the files have none of them',
  'cli/files/identity.ts': 'a field of Kubernetes',
  'cli/files/read-objects.ts': 'a field of Kubernetes',
  'cli/files/sources.ts': 'a command of others',
  'cli/files/texts.ts': 'a number of bytes',
  'cli/files/yaml-errors.ts': 'signs of YAML',
  'cli/flags.ts': 'ways to name files',
  'cli/npm.ts': 'a command of npm',
  'lib/cloud/observed.ts': 'what a provider reported',
  'lib/cloud/overrides-beside-fields.ts': 'the field is known, and does not fit another',
  'clouds/gcp/infrastructure/site.ts': 'ids of groups, which the cloud made up; its zones are a list',
  'functions/addons/fn.ts': 'the namespace is known, and cannot change',
  'functions/addons/manifests.ts': 'a number of bytes',
  'functions/addons/placeholders.ts': 'beginnings of paths',
  'functions/addons/repository.ts': 'beginnings of addresses',
  'functions/bootstrap/bottlerocket/read-config.ts': 'the field is known, and belongs to others',
  'functions/bootstrap/claim-config.ts': 'a flag that Slipway sets itself',
  'functions/bootstrap/k0s/rules.ts': 'a version',
  'functions/bootstrap/kubeadm/etcd.ts': 'the field is known, and cannot change',
  'functions/bootstrap/kubeadm/since.ts': 'a version',
  'functions/bootstrap/microk8s/facts.ts': 'what a node reported',
  'functions/bootstrap/rancher/config.ts': 'a version',
  'functions/bootstrap/removed-flags.ts': 'the flag is known, and the version does not have it',
  'functions/cluster/cloud.ts': 'the cloud that the cluster is on, which is one name',
  'functions/cluster/limits.ts': 'lib/cloud/limits.ts says what was meant; the others are ids and blocks',
  'functions/cluster/references.ts': 'labels that several objects have',
  'functions/nodepool/cloud.ts': 'the flavour of a Cluster, which is one name',
  'functions/nodepool/version.ts': 'a version',
  'functions/provisioning/cloudbase-init/rules.ts': 'modes',
  'functions/provisioning/traits.ts': 'the format is known, and does not fit; an unknown one is refused with a list',
  'lib/api/fields/host.ts': 'a path',
  'lib/api/fields/text.ts': 'a path',
  'lib/api/fields/update.ts': 'a number',
  'lib/api/kinds/claim-name.ts': 'a length, and characters',
  'lib/api/machine-variables.ts': 'where a variable may be',
  'lib/api/network-block.ts': 'a block',
  'lib/api/schema/once.ts': 'what is accepted is a rule about a list, and no list of names',
  'lib/cloud/first-boot-settings/settings.ts': 'the encoding is known, and does not fit',
  'lib/cloud/first-boot-settings/layout.ts': 'devices and labels, which depend on each other',
  'lib/cloud/in-clear.ts': 'other formats, and where the platform allows this one',
  'lib/kube/kubeconfig-error.ts': 'kinds of credentials',
  'lib/node/policies.ts': 'combinations of words that the schema has checked',
};

const FILES = ['cli', 'clouds', 'controllers', 'functions', 'lib', 'package', 'simulator'].flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT }).filter((path) => !/\.(test|fixture)\.ts$/.test(path)),
);

/** Comments say what others write. */
const refuses = (source: string): boolean => {
  const code = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  return REFUSES.some((one) => one.test(code)) && !source.includes(ASKS);
};

test('a message that lists names says which was probably meant, except for the list with reasons', () => {
  expect(FILES.length, 'it did look').toBeGreaterThan(400);
  const found = FILES.filter((path) => refuses(readFileSync(join(ROOT, path), 'utf8')));
  expect(found.toSorted(), 'use oneOf or didYouMean, or hand the names to refusal as a list').toEqual(
    Object.keys(EXPLAINED).toSorted(),
  );
});

test.for([
  { source: "throw new UsageError(`cannot find x: accepted: ${names.join(', ')}`);", is: true },
  { source: 'fail(`unknown field; accepted: ${known}`);', is: true },
  { source: "const accepted = names.toSorted().join(', ');", is: true },
  { source: "throw refusal(owner, field, value, names.join(', '));", is: true },
  { source: "import { oneOf } from '#lib/api/nearest.ts';\nfail(`accepted: ${oneOf(a, names)}`);", is: false },
  { source: 'throw refusal(owner, field, value, names);', is: false },
  { source: "error: 'is not accepted; accepted: at least 1'", is: false },
])('the test finds those that do not, and only those: $source', ({ source, is }) => {
  expect(refuses(source)).toBe(is);
});
