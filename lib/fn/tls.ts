/** The server's certificates: read from the folder Crossplane mounts, required of clients too, reloaded when rotated. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { experimental, type ServerCredentials } from '@grpc/grpc-js';
import { SlipwayError } from '#lib/api/errors.ts';

/** Credentials from a folder with tls.crt, tls.key and ca.crt. Throws Unavailable when one cannot be read. */
export async function serverCredentials(folder: string): Promise<ServerCredentials> {
  for (const file of ['ca.crt', 'tls.crt', 'tls.key']) mustRead(join(folder, file));
  const provider = new experimental.FileWatcherCertificateProvider({
    caCertificateFile: join(folder, 'ca.crt'),
    certificateFile: join(folder, 'tls.crt'),
    privateKeyFile: join(folder, 'tls.key'),
    refreshIntervalMs: 5000,
  });
  // A server that listens before its files are read cuts off whoever calls in that moment.
  await Promise.all([
    new Promise((resolve) => provider.addCaCertificateListener(resolve)),
    new Promise((resolve) => provider.addIdentityCertificateListener(resolve)),
  ]);
  // true: a client without a certificate of this authority is refused. Crossplane always has one.
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

function mustRead(file: string): void {
  try {
    readFileSync(file);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new SlipwayError('Unavailable', `cannot read certificate file "${file}": ${reason}`, { cause });
  }
}
