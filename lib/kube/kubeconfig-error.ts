/** Why a kubeconfig is not used. */
import { type ErrorCode, SlipwayError } from '#lib/api/errors.ts';

const CODES = {
  NotAKubeconfig: 'UnreadableSecret',
  NotACertificate: 'UnreadableSecret', // or a key that belongs to none
  NoCredentials: 'UnreadableSecret',
  CredentialPlugin: 'Unsupported', // exec, auth-provider
  NamesAFile: 'Unsupported',
  Password: 'Unsupported',
  Impersonation: 'Unsupported',
  NotVerified: 'Unsupported', // insecure-skip-tls-verify
  Proxy: 'Unsupported',
  NotHttps: 'Unsupported',
  LocalAddress: 'Unsupported',
  OwnCluster: 'Unsupported', // the management cluster
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** One CamelCase word, as the reason of a condition. */
export type KubeconfigFault = keyof typeof CODES;

export class KubeconfigError extends SlipwayError {
  readonly fault: KubeconfigFault;

  /** @param owner  where it is from: `Secret "team-a/prod-kubeconfig"` */
  constructor(fault: KubeconfigFault, owner: string, reason: string, accepted?: string) {
    const more = accepted === undefined ? '' : `; accepted: ${accepted}`;
    super(CODES[fault], `cannot use ${owner}: ${reason}${more}`, { reason: `${reason}${more}` });
    this.fault = fault;
  }
}
