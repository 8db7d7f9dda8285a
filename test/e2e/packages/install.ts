/**
 * Installation of packages: pushed to the registry of the lab, installed by name, and awaited until Crossplane reports
 * them healthy.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { CATALOG } from '../../../package/build/catalog.ts';
import { type Binaries, ROOT } from '../binaries/find.ts';
import type { Api } from '../lab/api.ts';
import type { Registry } from '../lab/registry.ts';
import { until } from '../lab/waiting.ts';
import { builtBy, type Platform } from './platform.ts';
import type { ProviderPackage } from './providers.ts';
import { providerHelm, providerKubernetes } from './runnable.ts';

const ORGANISATION = 'slipway';
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';
const PACKAGES_V1 = 'pkg.crossplane.io/v1';

export interface Source {
  /** Folder with the output of `npm run package`. @default `dist` */
  readonly built?: string;
  /** Who builds the Compositions anew; undefined: they are as published. */
  readonly platform: Platform | undefined;
  /** For what is built. */
  readonly folder: string;
}

export async function pushPackages(
  registry: Registry,
  version: string,
  { built = join(ROOT, 'dist'), platform, folder }: Source,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const source of CATALOG) {
    const { name, runs, content } = source;
    const file = runs === undefined ? `${name}.xpkg` : `${name}-${ARCHITECTURE}.xpkg`;
    const isAnew = platform !== undefined && content.some((path) => path.startsWith('compositions/'));
    if (isAnew) writeFileSync(join(folder, file), await builtBy(platform, source, version));
    await registry.push(join(isAnew ? folder : built, file), `${ORGANISATION}/${name}:${version}`);
  }
}

/** @param authority  PEM, of the web servers that providers of the lab trust */
export async function pushProviders(
  registry: Registry,
  providers: readonly ProviderPackage[],
  binaries: Binaries,
  authority: string,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const runnable = [providerKubernetes(binaries), providerHelm(binaries, authority)];
  for (const { reference, file, bytes } of [...providers, ...runnable]) {
    const path = join(folder, file);
    writeFileSync(path, await bytes());
    await registry.push(path, reference);
  }
}

/**
 * Redirects names of the public registry to that of the lab, so that dependent packages need no change: Slipway's own as
 * docs/install/own-registry.yaml does it, of which the longer prefix counts, and those of others.
 */
export function rewrite(registry: Registry): readonly KubeObject[] {
  const documented = readFileSync(join(ROOT, 'docs/install/own-registry.yaml'), 'utf8');
  return [
    parse(documented.replace('registry.example.com/slipway/', `${registry.host}/${ORGANISATION}/`)) as KubeObject,
    {
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'ImageConfig',
      metadata: { name: 'lab-registry' },
      spec: {
        matchImages: [{ type: 'Prefix', prefix: 'xpkg.crossplane.io/' }],
        rewriteImage: { prefix: `${registry.host}/` },
      },
    },
  ];
}

/** Settings of providers, by their names in the registry: Crossplane compares names after they are rewritten. */
export function settings(registry: Registry): readonly KubeObject[] {
  return [
    runsWith(registry, `${ORGANISATION}/provider-node`, 'provider-node'),
    POLLING,
    runsWith(registry, 'crossplane-contrib/provider-kubernetes', nameOf(POLLING)),
    runsWith(registry, 'crossplane-contrib/provider-helm', nameOf(POLLING)),
  ];
}

/** What somebody changed in a workload cluster is seen after seconds, and not after ten minutes. */
const POLLING: KubeObject = {
  apiVersion: 'pkg.crossplane.io/v1beta1',
  kind: 'DeploymentRuntimeConfig',
  metadata: { name: 'lab-polling' },
  spec: {
    deploymentTemplate: {
      spec: {
        selector: {},
        template: { spec: { containers: [{ name: 'package-runtime', args: ['--poll=10s'] }] } },
      },
    },
  },
};

function runsWith(registry: Registry, image: string, config: string): KubeObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: { name: `lab-${image.split('/').at(-1)}` },
    spec: {
      matchImages: [{ type: 'Prefix', prefix: `${registry.host}/${image}` }],
      runtime: {
        configRef: { apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'DeploymentRuntimeConfig', name: config },
      },
    },
  };
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

/** `crossplane xpkg install configuration …`, as users type it. */
export async function install(cli: string, kubeconfig: string, name: string, version: string): Promise<void> {
  const reference = `xpkg.crossplane.io/${ORGANISATION}/${name}:${version}`;
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  await promisify(execFile)(cli, ['xpkg', 'install', 'configuration', reference], { env, timeout: 300_000 });
}

export interface Installed {
  readonly kind: string;
  readonly name: string;
}

/** The number of packages that these flavours install: their Configurations, what those depend on, and families of providers. */
export function packagesOf(...flavours: readonly string[]): number {
  const needed = new Set(flavours.flatMap(dependenciesOf));
  const families = [...needed].flatMap((name) => /\/provider-(?!family-)([a-z]+)-[a-z0-9]+$/.exec(name)?.[1] ?? []);
  for (const family of families) needed.add(FAMILY + family);
  return flavours.length + needed.size;
}

const FAMILY = 'xpkg.crossplane.io/crossplane-contrib/provider-family-';

/** The number of packages of docs/install.md. */
export const PACKAGES = packagesOf('aws');

function dependenciesOf(flavour: string): readonly string[] {
  const file = join(ROOT, `package/configuration-${flavour}/crossplane.yaml`);
  const list = at(parse(readFileSync(file, 'utf8')), 'spec', 'dependsOn');
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).map((one) => stringAt(one, 'package') ?? '');
}

/** Waits until the lock has no missing package and every package is Installed and Healthy. */
export async function allHealthy(api: Api, expected: number, seconds: number): Promise<readonly Installed[]> {
  return until(`${expected} packages Installed and Healthy`, { seconds }, async () => {
    const packages = await all(api);
    const not = packages.filter((object) => !is(object, 'Installed') || !is(object, 'Healthy'));
    if (packages.length === expected && not.length === 0)
      return { found: packages.map(({ kind, metadata }) => ({ kind, name: metadata?.name ?? '' })) };
    return { yet: not.length === 0 ? `${packages.length} packages` : not.map(describe).join('; ') };
  });
}

export async function all(api: Api): Promise<readonly KubeObject[]> {
  const lists = ['Configuration', 'Function', 'Provider'].map((kind) => api.list({ apiVersion: PACKAGES_V1, kind }));
  return (await Promise.all(lists)).flat();
}

function is(object: KubeObject, type: string): boolean {
  return condition(object, type)?.['status'] === 'True';
}

export function condition(object: KubeObject, type: string): Readonly<Record<string, unknown>> | undefined {
  const conditions = at(object, 'status', 'conditions');
  const list: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
  return list.find((one) => stringAt(one, 'type') === type) as Readonly<Record<string, unknown>> | undefined;
}

function describe(object: KubeObject): string {
  const unhappy = ['Installed', 'Healthy']
    .map((type) => condition(object, type))
    .filter((one) => one !== undefined && one['status'] !== 'True')
    .map(
      (one) => `${String(one?.['type'])}=${String(one?.['status'])}: ${String(one?.['message'] ?? one?.['reason'])}`,
    );
  return `${object.kind} ${object.metadata?.name ?? ''} ${unhappy.join(', ') || 'says nothing yet'}`;
}
