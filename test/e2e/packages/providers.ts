/**
 * The providers that the Configurations of flavours depend on, as packages with their real names: the real CRDs and
 * metadata, so dependency resolution, activation and RBAC are real. ../cloud replaces their code.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import { image, xpkg } from '../../../package/build/image.ts';
import { type Layer, layer } from '../../../package/build/layer.ts';
import { MissingError, ROOT } from '../binaries/find.ts';

export const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';
const CRDS = process.env['SLIPWAY_CRDS'] ?? join(ROOT, '../shared/crds');
/** Of the families of providers; the parent of each has its kinds for credentials. */
const VERSIONS = { aws: 'v2.6.0', azure: 'v2.6.0', gcp: 'v2.6.0' } as const;

export interface ProviderPackage {
  /** `org/name:version` below any registry. */
  readonly reference: string;
  readonly file: string;
  readonly bytes: () => Promise<Uint8Array>;
}

export function providerPackages(): readonly ProviderPackage[] {
  for (const folder of Object.keys(VERSIONS))
    if (!existsSync(join(CRDS, folder)))
      throw new MissingError(
        `no CRDs of the providers of ${folder}: there is no folder ../shared/crds/${folder}; set SLIPWAY_CRDS to its parent`,
      );
  return [
    ...family(ofCloud('aws'), AWS_SERVICES),
    ...family(ofCloud('azure'), ['authorization', 'compute', 'keyvault', 'managedidentity', 'network']),
    ...family(ofCloud('gcp'), ['cloudplatform', 'compute', 'secretmanager']),
  ];
}

/** Each has a package of its own. */
export const AWS_SERVICES = ['ec2', 'elbv2', 'iam', 'secretsmanager'] as const;

export interface Family {
  readonly cloud: keyof typeof VERSIONS;
  readonly version: string;
  /** Of their CRDs. */
  readonly folder: string;
}

function ofCloud(cloud: keyof typeof VERSIONS): Family {
  return { cloud, version: VERSIONS[cloud], folder: join(CRDS, cloud) };
}

/** The provider with the credentials of a cloud, and those that need it: one for each service. */
export function family({ cloud, version, folder }: Family, services: readonly string[]): readonly ProviderPackage[] {
  const parent = `provider-family-${cloud}`;
  const member = (name: string, prefix: string, dependsOn: readonly string[]): ProviderPackage => ({
    reference: `crossplane-contrib/${name}:${version}`,
    file: `${name}.xpkg`,
    bytes: () => packed([metadata(name, dependsOn), ...crds(folder, prefix)]),
  });
  return [
    member(parent, `${cloud}.`, []),
    ...services.map((service) => member(`provider-${cloud}-${service}`, `${service}.`, [parent])),
  ];
}

function metadata(name: string, dependsOn: readonly string[]): KubeObject {
  return {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name },
    spec: {
      capabilities: ['safe-start'],
      dependsOn: dependsOn.map((dependency) => ({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        package: `xpkg.crossplane.io/crossplane-contrib/${dependency}`,
        version: '>= v2.0.0',
      })),
    },
  };
}

/** A package without code. */
export async function packed(objects: readonly KubeObject[]): Promise<Uint8Array> {
  return xpkg(image([await base(objects)], ARCHITECTURE));
}

/** The layer that Crossplane reads. */
export function base(objects: readonly KubeObject[]): Promise<Layer> {
  const content = objects.map((object) =>
    stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' }),
  );
  const stream = Buffer.from(content.join('---\n'));
  return layer([{ path: 'package.yaml', mode: 0o644, content: stream }], 'base');
}

export function crds(folder: string, prefix: string): readonly KubeObject[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(prefix) && file.endsWith('.yaml'))
    .sort()
    .map((file) => read(join(folder, file)));
}

export function read(file: string): KubeObject {
  return parse(readFileSync(file, 'utf8')) as KubeObject;
}
