/**
 * The name of a cloud occurs only in its folder, in its Compositions, package and examples, and in one line of each
 * registry.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PRODUCT = ['lib', 'functions', 'controllers', 'simulator', 'cli', 'package', 'generate', 'xrds'];

/** Clouds, their services, and the owners of their providers; alone or as a part of an identifier. */
const NAMES = /(?<![a-z])(aws|amazon|azure|google|gcp|gce|ec2|eks|aks|gke|upbound|upjet|terraform)(?![a-z])/gi;

/** One line for each cloud. */
const REGISTRY = /^functions\/[a-z-]+\/clouds\.ts$/;

interface Exception {
  /** File or folder. */
  readonly path: string;
  readonly names: readonly string[];
  readonly why: string;
}

const EKS = 'nodeadm and Bottlerocket are bootstrappers and formats that a claim chooses, for nodes of EKS alone';
const EXAMPLE = 'the help shows commands that work in this repository, on the example that it has';

const EXCEPTIONS: readonly Exception[] = [
  { path: 'functions/bootstrap/eks', names: ['eks'], why: EKS },
  { path: 'functions/bootstrap/nodeadm', names: ['eks', 'aws', 'amazon'], why: EKS },
  { path: 'functions/bootstrap/bottlerocket', names: ['eks'], why: EKS },
  { path: 'functions/provisioning/nodeadm', names: ['eks', 'aws', 'amazon', 'ec2'], why: EKS },
  { path: 'lib/api/contracts/bootstrap-plan.ts', names: ['eks', 'aws', 'amazon'], why: EKS },
  { path: 'simulator/nodes/first-boot/nodeadm.ts', names: ['eks', 'aws'], why: EKS },
  { path: 'simulator/nodes/joining', names: ['eks'], why: EKS },
  { path: 'cli/payload/parts.ts', names: ['eks', 'aws'], why: EKS },
  ...['describe', 'payload', 'plan', 'render', 'simulate', 'validate'].map((command) => ({
    path: `cli/${command}/command.ts`,
    names: ['aws'],
    why: EXAMPLE,
  })),
  {
    path: 'functions/bootstrap/removed-flags.ts',
    names: ['gce', 'azure'],
    why: 'parts of the names of flags of Kubernetes',
  },
  {
    path: 'functions/provisioning/filesystem.ts',
    names: ['azure'],
    why: 'how long a disk may take, which is longest there',
  },
  {
    path: 'lib/api/proxy.ts',
    names: ['google'],
    why: 'no machine uses a proxy for its metadata service, and that is fixed before its cloud is known',
  },
  {
    path: 'lib/api/local-address.ts',
    names: ['ec2'],
    why: 'a kubeconfig from elsewhere must not lead to the metadata service of any cloud',
  },
  {
    path: 'lib/api/platform-host.ts',
    names: ['google', 'ec2'],
    why: 'a claim must not send the platform to the metadata service of any cloud',
  },
  ...['keep', 'overrides'].map((file) => ({
    path: `lib/fn/${file}.ts`,
    names: ['upbound'],
    why: 'a domain of annotations that Crossplane and providers read and write',
  })),
  {
    path: 'simulator/cloud',
    names: ['terraform', 'upjet'],
    why: 'what the providers of every cloud share, including error messages of Terraform',
  },
];

interface Found {
  readonly path: string;
  readonly name: string;
}

function namesIn(text: string): ReadonlySet<string> {
  const apart = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return new Set([...apart.matchAll(NAMES)].map(([name]) => name.toLowerCase()));
}

const files = PRODUCT.map((folder) => join(ROOT, folder))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  .filter(({ name }) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
  .map(({ name, parentPath }) => relative(ROOT, join(parentPath, name)))
  .filter((path) => !REGISTRY.test(path));

const found: readonly Found[] = files.flatMap((path) =>
  [...namesIn(`${path}\n${readFileSync(join(ROOT, path), 'utf8')}`)].map((name) => ({ path, name })),
);

const allows = ({ path, names }: Exception, one: Found): boolean =>
  (one.path === path || one.path.startsWith(`${path}/`)) && names.includes(one.name);

test('no product code outside clouds/ names a cloud, except for the list with reasons', () => {
  expect(found.filter((one) => !EXCEPTIONS.some((exception) => allows(exception, one)))).toEqual([]);
});

/** Names that belong to one cloud; a cloud may say its own. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  aws: ['aws', 'amazon', 'ec2', 'eks'],
  azure: ['azure', 'aks'],
  existing: [],
  gcp: ['gcp', 'google', 'gce', 'gke'],
};
const OF_PROVIDERS: ReadonlySet<string> = new Set(['upbound', 'upjet', 'terraform']);
const folders = readdirSync(join(ROOT, 'clouds'), { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.for(folders.map(({ name }) => name))('%s names no other cloud', (cloud) => {
  const own = OWN[cloud] ?? [cloud];
  const named = readdirSync(join(ROOT, 'clouds', cloud), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
    .map(({ name, parentPath }) => relative(ROOT, join(parentPath, name)))
    .flatMap((path) => [...namesIn(readFileSync(join(ROOT, path), 'utf8'))].map((name) => ({ path, name })));
  expect(named.filter(({ name }) => !own.includes(name) && !OF_PROVIDERS.has(name))).toEqual([]);
});

/** What clouds have in common and lists of them by their names; each has a line that imports from its folder. */
const LISTS = ['fields', 'kind-fields', 'native-names', 'rooms', 'simulated', 'support'] as const;

test.for(LISTS)('clouds/%s.ts has one import for each cloud that it lists', (list) => {
  const text = readFileSync(join(ROOT, `clouds/${list}.ts`), 'utf8');
  const imported = [...text.matchAll(/ from '(?:\.|#clouds)\/([a-z-]+)\/[a-z/-]+\.ts';/g)].map(
    ([, cloud = '']) => cloud,
  );
  expect(imported).toEqual([...new Set(imported)].toSorted());
  for (const cloud of imported) expect(folders.map(({ name }) => name)).toContain(cloud);
});

test('a registry has one line for each cloud, and nothing else', () => {
  for (const name of ['cluster', 'machine']) {
    const lines = readFileSync(join(ROOT, `functions/${name}/clouds.ts`), 'utf8')
      .split('\n')
      .filter((line) => !/^(\/\*\*.*\*\/)?$/.test(line));
    const imports = lines.filter((line) =>
      /^import \{ [A-Za-z]+ \} from '#clouds\/[a-z-]+\/[a-z/-]+\.ts';$/.test(line),
    );
    expect(lines).toHaveLength(imports.length + 1);
    expect(lines.at(-1)).toMatch(/^export const CLOUDS = \{ .* \};$/);
  }
});

test.for(EXCEPTIONS.flatMap((exception) => exception.names.map((name) => ({ ...exception, name }))))(
  '$path still needs to name $name: $why',
  (exception) => {
    expect(found.some((one) => one.name === exception.name && allows(exception, one))).toBe(true);
  },
);

describe('a cloud name is found', () => {
  test.for([
    { text: "import { aws } from '#clouds/aws/machine/aws.ts';", names: ['aws'] },
    { text: 'const awsKind = onAmazonLinux(EKSFacts);', names: ['aws', 'amazon', 'eks'] },
    { text: 'ec2.aws.m.upbound.io/v1beta1', names: ['ec2', 'aws', 'upbound'] },
    { text: 'the raws of some weeks, and what it draws', names: [] },
  ])('in $text', ({ text, names }) => {
    expect([...namesIn(text)].toSorted()).toEqual(names.toSorted());
  });
});
