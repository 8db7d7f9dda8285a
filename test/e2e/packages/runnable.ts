/** The providers that run as they are: packages with the program, metadata and CRDs of their Go modules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { image, xpkg } from '../../../package/build/image.ts';
import { type Entry, layer } from '../../../package/build/layer.ts';
import type { Binaries } from '../binaries/find.ts';
import { ARCHITECTURE, base, crds, type ProviderPackage, read } from './providers.ts';

/** Anybody but root. */
const USER = '65532';
const HOME = 'home/nonroot';

/** In the version of binaries/go/provider-kubernetes. */
export function providerKubernetes({
  providerKubernetes: folder,
  'provider-kubernetes': program,
}: Binaries): ProviderPackage {
  return runnable({ name: 'provider-kubernetes', version: 'v1.0.0', folder, program, files: [] });
}

/** In the version of binaries/go/provider-helm. @param authority  PEM, of repositories of charts */
export function providerHelm(
  { providerHelm: folder, 'provider-helm': program }: Binaries,
  authority: string,
): ProviderPackage {
  const files = [
    { path: 'etc/ssl/certs/ca-certificates.crt', mode: 0o644, content: Buffer.from(authority) },
    // It keeps charts and the indexes of their repositories there.
    { path: 'tmp', mode: 0o1777 },
    { path: HOME, mode: 0o1777 },
  ];
  return runnable({ name: 'provider-helm', version: 'v1.2.0', folder, program, files });
}

interface Runnable {
  readonly name: string;
  readonly version: string;
  /** With crds/ and crossplane.yaml. */
  readonly folder: string;
  readonly program: string;
  /** Beside the program. */
  readonly files: readonly Entry[];
}

function runnable({ name, version, folder, program, files }: Runnable): ProviderPackage {
  return {
    reference: `crossplane-contrib/${name}:${version}`,
    file: `${name}.xpkg`,
    async bytes() {
      const objects = [read(join(folder, 'crossplane.yaml')), ...crds(join(folder, 'crds'), '')];
      const code = await layer([{ path: 'provider', mode: 0o755, content: readFileSync(program) }, ...files]);
      const runtime = { entrypoint: ['/provider'], user: USER, workingDir: '/', env: [`HOME=/${HOME}`] };
      return xpkg(image([await base(objects), code], ARCHITECTURE, runtime));
    },
  };
}
