import { X509Certificate } from 'node:crypto';
import { sha256 } from '#lib/api/names.ts';
import { rememberedByHash } from '#lib/api/remembered.ts';
import { BootFailure } from '../first-boot/boot-failure.ts';

/** The hash by which kubeadm pins a CA. */
export const certificateHash = rememberedByHash((pem: string): string => {
  try {
    const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
    return `sha256:${sha256(key)}`;
  } catch {
    throw new BootFailure('kubeadm: the cluster CA is not a certificate');
  }
}, 200);
