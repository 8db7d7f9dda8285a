/**
 * The cloud providers that configuration-slipway-aws depends on, as packages with their real names: the real CRDs and
 * metadata, without code. So dependency resolution, activation and RBAC are real; ../cloud replaces the code.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import { image, xpkg } from '../../../package/build/image.ts';
import { layer } from '../../../package/build/layer.ts';
import { MissingError, ROOT } from '../binaries/find.ts';

const CRDS = process.env['SLIPWAY_CRDS'] ?? join(ROOT, '../shared/crds');
const AWS_VERSION = 'v2.6.0';
const FAMILY = 'provider-family-aws';

export interface ProviderPackage {
  /** `org/name:version` below any registry. */
  readonly reference: string;
  readonly file: string;
  readonly bytes: () => Promise<Uint8Array>;
}

export function providerPackages(): readonly ProviderPackage[] {
  if (!existsSync(join(CRDS, 'aws')))
    throw new MissingError('no CRDs of the AWS providers: there is no folder ../shared/crds; set SLIPWAY_CRDS to one');
  const aws = (name: string, prefix: string, dependsOn: readonly string[]): ProviderPackage => ({
    reference: `crossplane-contrib/${name}:${AWS_VERSION}`,
    file: `${name}.xpkg`,
    bytes: () => packed([metadata(name, dependsOn), ...crds(join(CRDS, 'aws'), prefix)]),
  });
  return [
    aws(FAMILY, 'aws.', []),
    aws('provider-aws-ec2', 'ec2.', [FAMILY]),
    aws('provider-aws-elbv2', 'elbv2.', [FAMILY]),
    aws('provider-aws-iam', 'iam.', [FAMILY]),
    aws('provider-aws-secretsmanager', 'secretsmanager.', [FAMILY]),
  ];
}

/** The flavour of the test, as a package too, so that no Composition is applied by hand. */
export function minimalFlavour(folder: string): Promise<Uint8Array> {
  return packed([read(join(folder, 'crossplane.yaml')), read(join(folder, 'cluster.yaml'))]);
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

async function packed(objects: readonly KubeObject[]): Promise<Uint8Array> {
  const content = objects.map((object) =>
    stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' }),
  );
  const stream = Buffer.from(content.join('---\n'));
  const base = await layer([{ path: 'package.yaml', mode: 0o644, content: stream }], 'base');
  return xpkg(image([base], process.arch === 'arm64' ? 'arm64' : 'amd64'));
}

function crds(folder: string, prefix: string): readonly KubeObject[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(prefix) && file.endsWith('.yaml'))
    .sort()
    .map((file) => read(join(folder, file)));
}

function read(file: string): KubeObject {
  return parse(readFileSync(file, 'utf8')) as KubeObject;
}
