/** The secrets of MicroK8s clusters: one authority, and the join token. The first machine creates everything else. */
import { AUTH } from '../auth-token.ts';
import { authorityPart, asPair, type Part, textPart } from '../parts.ts';
import { isRsaCertificate } from '../pki/pem.ts';
import { newPassword } from '../pki/token.ts';
import type { Data } from '../secrets.ts';

const common = authorityPart('ca', 'ca', 'kubernetes');

/** Signs certificates of servers, kubelets and clients. MicroK8s only accepts RSA keys. */
export const CA: Part = {
  ...common,
  problem: (data) => common.problem(data) ?? rsaProblem(data),
  problemWithoutKey: (data) => common.problemWithoutKey?.(data) ?? rsaProblem(data),
};

function rsaProblem(data: Data): string | undefined {
  return isRsaCertificate(asPair(data).cert) ? undefined : 'tls.key is not an RSA key';
}

/** Allows joining, also as a control plane. Name and key are from Cluster API. */
export const TOKEN = textPart({
  key: 'token',
  suffix: 'jointoken',
  field: 'value',
  make: newPassword,
  accepts: /^[0-9A-Za-z]{32}$/,
  words: '32 letters and digits',
});

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [CA, TOKEN, AUTH];
