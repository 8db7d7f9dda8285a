/** What MicroK8s' clusters are made of: one authority, and the token others join by. Everything else its first machine makes. */
import { authorityPart, asPair, type Part, textPart } from '../parts.ts';
import { isRsaCertificate } from '../pki/pem.ts';
import { newPassword } from '../pki/token.ts';
import type { Data } from '../secrets.ts';

const common = authorityPart('ca', 'ca', 'kubernetes');

/** Signs what servers, kubelets and clients show. MicroK8s takes over RSA keys alone. */
export const CA: Part = {
  ...common,
  problem: (data) => common.problem(data) ?? rsaProblem(data),
  problemWithoutKey: (data) => common.problemWithoutKey?.(data) ?? rsaProblem(data),
};

function rsaProblem(data: Data): string | undefined {
  return isRsaCertificate(asPair(data).cert) ? undefined : 'tls.key is not an RSA key';
}

/** Whoever knows it may join, as a control plane too. Cluster API's name and key for it. */
export const TOKEN = textPart({
  key: 'token',
  suffix: 'jointoken',
  field: 'value',
  make: newPassword,
  accepts: /^[0-9A-Za-z]{32}$/,
  words: '32 letters and digits',
});

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [CA, TOKEN];
