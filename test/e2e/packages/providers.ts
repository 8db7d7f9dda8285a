/**
 * The providers that configuration-slipway-aws depends on, as packages with their real names: the real CRDs and metadata,
 * so dependency resolution, activation and RBAC are real. provider-kubernetes has its code; that of the others is
 * replaced by ../cloud and ../addons.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import { image, xpkg } from '../../../package/build/image.ts';
import { type Layer, layer } from '../../../package/build/layer.ts';
import { type Binaries, MissingError, ROOT } from '../binaries/find.ts';

const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';
const CRDS = process.env['SLIPWAY_CRDS'] ?? join(ROOT, '../shared/crds');
const AWS_VERSION = 'v2.6.0';
const FAMILY = 'provider-family-aws';
const HELM_VERSION = 'v1.4.0';
/** As in binaries/go/provider-kubernetes. */
const KUBERNETES_VERSION = 'v1.0.0';
/** Anybody but root. */
const USER = '65532';

export interface ProviderPackage {
  /** `org/name:version` below any registry. */
  readonly reference: string;
  readonly file: string;
  readonly bytes: () => Promise<Uint8Array>;
}

export function providerPackages(): readonly ProviderPackage[] {
  if (!existsSync(join(CRDS, 'aws')))
    throw new MissingError('no CRDs of the AWS providers: there is no folder ../shared/crds; set SLIPWAY_CRDS to one');
  if (!existsSync(join(CRDS, 'helm')))
    throw new MissingError(`no CRDs of provider-helm: there is no folder helm beside ${join(CRDS, 'aws')}`);
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
    {
      reference: `crossplane-contrib/provider-helm:${HELM_VERSION}`,
      file: 'provider-helm.xpkg',
      bytes: () => packed([metadata('provider-helm', []), ...crds(join(CRDS, 'helm'), 'helm.m.')]),
    },
  ];
}

/** With the program that its module builds, and the metadata and CRDs of its module. */
export function providerKubernetes(binaries: Binaries): ProviderPackage {
  const { providerKubernetes: folder, 'provider-kubernetes': program } = binaries;
  return {
    reference: `crossplane-contrib/provider-kubernetes:${KUBERNETES_VERSION}`,
    file: 'provider-kubernetes.xpkg',
    async bytes() {
      const objects = [read(join(folder, 'crossplane.yaml')), ...crds(join(folder, 'crds'), '')];
      const code = await layer([{ path: 'provider', mode: 0o755, content: readFileSync(program) }]);
      const runtime = { entrypoint: ['/provider'], user: USER, workingDir: '/', env: [] };
      return xpkg(image([await base(objects), code], ARCHITECTURE, runtime));
    },
  };
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

/** A package without code. */
export async function packed(objects: readonly KubeObject[]): Promise<Uint8Array> {
  return xpkg(image([await base(objects)], ARCHITECTURE));
}

/** The layer that Crossplane reads. */
function base(objects: readonly KubeObject[]): Promise<Layer> {
  const content = objects.map((object) =>
    stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' }),
  );
  const stream = Buffer.from(content.join('---\n'));
  return layer([{ path: 'package.yaml', mode: 0o644, content: stream }], 'base');
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
