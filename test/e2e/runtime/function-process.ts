/** One revision of a function package, with its own address and certificates. */
import { join } from 'node:path';
import type { Pair } from '../lab/authority.ts';
import type { Processes } from '../lab/processes.ts';
import { mountFile, PackageProcess } from './package-process.ts';
import type { Root } from './root.ts';

/** Where the Deployment of Crossplane mounts the server certificate. */
const CERTIFICATES = '/tls/server';
/** provider-kubernetes serves 9443 at every address. */
const PORT = 9445;
const METRICS_PORT = 9444;

export class FunctionProcess extends PackageProcess {
  /** Its own loopback address, so that every function listens on the same port as in a pod. */
  readonly address: string;

  constructor(
    name: string,
    address: string,
    root: Root,
    { cert, key, ca }: Pair & { readonly ca: string },
    processes: Processes,
  ) {
    for (const [file, text] of Object.entries({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca }))
      mountFile(root, join(CERTIFICATES, file), text);
    super({
      name,
      root,
      args: [`--address=${address}:${PORT}`, `--metrics-address=${address}:${METRICS_PORT}`],
      env: { TLS_SERVER_CERTS_DIR: CERTIFICATES },
      processes,
    });
    this.address = address;
  }

  get port(): number {
    return PORT;
  }

  get metricsUrl(): string {
    return `http://${this.address}:${METRICS_PORT}/metrics`;
  }
}
