/**
 * The certificates of the server, and the authority of its clients: read from the folder that Crossplane mounts, and
 * reloaded on rotation. An inconsistent folder during a rotation never replaces valid certificates.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';

/** Milliseconds between two looks at the folder. A mounted Secret may be a minute behind anyway. */
const LOOK_EVERY = 2000;

export interface Certificates {
  /** PEM, of every authority whose clients are accepted. */
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The last certificates of a folder that fit together, and whoever wants to hear of new ones. */
export class RotatedCertificates {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #listeners: ((next: Certificates, before: Certificates) => void)[] = [];
  #current: Certificates;
  #complaint: string | undefined;

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
    this.#current = readCertificates(folder);
    setInterval(() => this.look(), LOOK_EVERY).unref();
  }

  get current(): Certificates {
    return this.#current;
  }

  /** Calls the listener with each later rotation. */
  onRotation(listener: (next: Certificates, before: Certificates) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes what the folder holds now, when it is new and fits together; says once why it does not. */
  look(): void {
    const before = this.#current;
    try {
      const found = readCertificates(this.#folder);
      this.#complaint = undefined;
      if (isSame(found, before)) return;
      this.#current = found;
    } catch (thrown) {
      const err = SlipwayError.from(thrown);
      if (this.#complaint !== err.message) this.#logger.warn({ err }, 'keeping the certificates in use');
      this.#complaint = err.message;
      return;
    }
    for (const listener of this.#listeners) listener(this.#current, before);
    this.#logger.info('certificates reloaded');
  }
}

function readCertificates(folder: string): Certificates {
  const ca = read(join(folder, 'ca.crt'));
  const cert = read(join(folder, 'tls.crt'));
  const key = read(join(folder, 'tls.key'));
  try {
    void new X509Certificate(ca); // a secure context takes any text for an authority
    void createSecureContext({ ca, cert, key });
  } catch (cause) {
    throw new SlipwayError('Unavailable', `cannot use the certificates in "${folder}": ${reasonOf(cause)}`, { cause });
  }
  return { ca, cert, key };
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
  return left.ca.equals(right.ca) && left.cert.equals(right.cert) && left.key.equals(right.key);
}
