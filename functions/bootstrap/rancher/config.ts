/**
 * `spec.bootstrap.config` of a claim whose provider is k3s or RKE2: keys of their configuration, and settings of the
 * machine.
 */
import { z } from 'zod';
import type { CLUSTER_KEYS, NODE_KEYS, SERVER_KEYS } from './keys.ts';

const SHA256 = { error: 'is not a checksum; accepted: 64 hexadecimal digits' };

/** @param release  such as k3s1: what follows the Kubernetes version. @param url  of the official script */
export function ownFields(release: string, url: string) {
  const word = release.replace(/(?<![0-9])[0-9]+$/, '');
  return {
    release: z
      .string()
      .regex(new RegExp(`^${word}[0-9]+$`), { error: `is not a release; accepted: ${word} and a number` })
      .default(release)
      .describe(
        `Suffix of the installed version, after the Kubernetes version: spec.version v1.37.1 installs v1.37.1+${release}.`,
      ),
    install: z
      .enum(['Download', 'Skip'])
      .default('Download')
      .describe(
        'Download: with the official install script. Skip: the image has exactly this version, which is checked.',
      ),
    installer: z
      .strictObject({
        url: z
          .string()
          .regex(/^https:\/\/[^\s"'\\$`]+$/, { error: 'is not accepted; accepted: an https URL' })
          .default(url)
          .describe(
            'URL of the script. It is downloaded to a file, verified and then run. The default one changes: the script of a release at another URL keeps its checksum.',
          ),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, SHA256)
          .optional()
          .describe('SHA-256 checksum of the script. Required with install: Download.'),
      })
      .prefault({})
      .describe('The official install script.'),
    cloudProvider: z
      .enum(['external', 'none'])
      .optional()
      .describe(
        'external: nodes wait for the cloud controller manager of the cloud, and the built-in one is not deployed. none: there is no cloud controller manager. Default: set by the Composition.',
      ),
    encryptionAlgorithm: z
      .enum(['ECDSA-P256', 'RSA-2048'])
      .default('ECDSA-P256')
      .describe('Key algorithm of the certificate authorities, used only when they are created.'),
  };
}

type Keys = typeof CLUSTER_KEYS & typeof SERVER_KEYS & typeof NODE_KEYS;

/** Keys that both have; each has additional ones. */
export type Config = z.output<z.ZodObject<ReturnType<typeof ownFields> & Keys>>;
