/**
 * The token by which provider-node asks MicroK8s and Canonical Kubernetes to take out a member, and the latter for join
 * tokens. Name and key are from Cluster API.
 */
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { type Part, textPart } from './parts.ts';
import { newPassword } from './pki/token.ts';

export const AUTH: Part = {
  ...textPart({
    key: AUTH_TOKEN.suffix,
    suffix: AUTH_TOKEN.suffix,
    field: AUTH_TOKEN.key,
    make: newPassword,
    accepts: /^[0-9A-Za-z]{32}$/,
    words: '32 letters and digits',
  }),
  // Clusters of earlier releases have none.
  recordedAlways: true,
};
