/**
 * The certificates of the server: read from the folder that Crossplane mounts, also required of clients, reloaded on
 * rotation. An inconsistent folder during a rotation never replaces valid certificates.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { experimental, type ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';

/** Milliseconds between two looks at the folder. A mounted Secret may be a minute behind anyway. */
const LOOK_EVERY = 2000;

/** Credentials from a folder with tls.crt, tls.key and ca.crt. Throws Unavailable when they cannot be used. */
export function serverCredentials(folder: string, logger: Logger): ServerCredentials {
  const certificates = new RotatedCertificates(folder, logger);
  setInterval(() => certificates.look(), LOOK_EVERY).unref();
  // true: a client without a certificate of this authority is refused. Crossplane always has one.
  return experimental.createCertificateProviderServerCredentials(certificates, certificates, true);
}

interface Certificates {
  readonly caCertificate: Buffer;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** The last certificates of a folder that fit together, and whoever wants to hear of new ones. */
export class RotatedCertificates implements experimental.CertificateProvider {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #identityListeners = new Set<experimental.IdentityCertificateUpdateListener>();
  readonly #caListeners = new Set<experimental.CaCertificateUpdateListener>();
  #current: Certificates;
  #complaint: string | undefined;

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
    this.#current = readCertificates(folder);
  }

  /** Takes what the folder holds now, when it is new and fits together; says once why it does not. */
  look(): void {
    try {
      const found = readCertificates(this.#folder);
      this.#complaint = undefined;
      if (isSame(found, this.#current)) return;
      this.#current = found;
    } catch (thrown) {
      const err = SlipwayError.from(thrown);
      if (this.#complaint !== err.message) this.#logger.warn({ err }, 'keeping the certificates in use');
      this.#complaint = err.message;
      return;
    }
    for (const listener of this.#identityListeners) listener(this.#current);
    for (const listener of this.#caListeners) listener(this.#current);
    this.#logger.info('certificates reloaded');
  }

  // A listener hears of the present certificates a moment later: the server adds it before it is ready to listen.
  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#identityListeners.add(listener);
    process.nextTick(() => listener(this.#current));
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#caListeners.add(listener);
    process.nextTick(() => listener(this.#current));
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#identityListeners.delete(listener);
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#caListeners.delete(listener);
  }
}

function readCertificates(folder: string): Certificates {
  const caCertificate = read(join(folder, 'ca.crt'));
  const certificate = read(join(folder, 'tls.crt'));
  const privateKey = read(join(folder, 'tls.key'));
  try {
    void new X509Certificate(caCertificate); // a secure context takes any text for an authority
    void createSecureContext({ ca: caCertificate, cert: certificate, key: privateKey });
  } catch (cause) {
    throw new SlipwayError('Unavailable', `cannot use the certificates in "${folder}": ${reasonOf(cause)}`, { cause });
  }
  return { caCertificate, certificate, privateKey };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new SlipwayError('Unavailable', `cannot read certificate file "${file}": ${reasonOf(cause)}`, { cause });
  }
}

/** OpenSSL's reason or the system's code: neither quotes the file. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unreadable';
  if ('reason' in cause) return String(cause.reason);
  return 'code' in cause ? String(cause.code) : cause.message;
}

function isSame(left: Certificates, right: Certificates): boolean {
  return (
    left.caCertificate.equals(right.caCertificate) &&
    left.certificate.equals(right.certificate) &&
    left.privateKey.equals(right.privateKey)
  );
}
