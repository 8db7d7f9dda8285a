/** Where k3s or RKE2 comes from: the image, or the official script, which runs as root and so is verified first. */
import { refusal } from '#lib/api/refusal.ts';
import type { Config } from './config.ts';

export type Installer = 'InImage' | { readonly url: string; readonly sha256: string };

/** Throws InvalidClaim for a script without a checksum. @param owner how to call the claim @param name k3s or rke2 */
export function installerOf({ install, installer: { url, sha256 } }: Config, name: string, owner: string): Installer {
  if (install === 'Skip') return 'InImage';
  if (sha256 !== undefined) return { url, sha256 };
  const field = 'spec.bootstrap.config.installer.sha256';
  const accepted = `the SHA-256 checksum of the script at installer.url, or install: Skip and an image with ${name}`;
  throw refusal(owner, field, undefined, accepted);
}
