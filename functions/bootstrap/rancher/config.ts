/** `spec.bootstrap.config` of a claim whose provider is k3s or RKE2: their own keys, and what is said about the machine. */
import { z } from 'zod';
import type { CLUSTER_KEYS, NODE_KEYS, SERVER_KEYS } from './keys.ts';

const SHA256 = { error: 'is not a checksum; accepted: 64 hexadecimal digits' };

/** @param release  such as k3s1: what follows the Kubernetes version. @param url  of the official script */
export function ownFields(release: string, url: string) {
  const word = release.replace(/[0-9]+$/, '');
  return {
    release: z
      .string()
      .regex(new RegExp(`^${word}[0-9]+$`), { error: `is not a release; accepted: ${word} and a number` })
      .default(release)
      .describe(
        `What follows the Kubernetes version in the name of the version that is installed: spec.version v1.35.4 installs v1.35.4+${release}.`,
      ),
    install: z
      .enum(['Download', 'Skip'])
      .default('Download')
      .describe('Download: by the official script. Skip: the image brings it, in this very version, which is checked.'),
    installer: z
      .strictObject({
        url: z
          .string()
          .regex(/^https:\/\/[^\s"'\\$`]+$/, { error: 'is not accepted; accepted: an https URL' })
          .default(url)
          .describe(
            'Where the script comes from. It is downloaded to a file and then run; nothing is piped into a shell.',
          ),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, SHA256)
          .optional()
          .describe('Its checksum. Left out, whatever is there is run.'),
      })
      .prefault({})
      .describe('The official script.'),
    cloudProvider: z
      .enum(['external', 'none'])
      .optional()
      .describe(
        "external: kubelets wait for the cloud's controller manager, and the one that comes along is left out. none: there is no cloud's. Left out, the Composition's.",
      ),
    encryptionAlgorithm: z
      .enum(['ECDSA-P256', 'RSA-2048'])
      .default('ECDSA-P256')
      .describe('Keys of the certificate authorities, read when they are made.'),
  };
}

type Keys = typeof CLUSTER_KEYS & typeof SERVER_KEYS & typeof NODE_KEYS;

/** What both have; each has more. */
export type Config = z.output<z.ZodObject<ReturnType<typeof ownFields> & Keys>>;
