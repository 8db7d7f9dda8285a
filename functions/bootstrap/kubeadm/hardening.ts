/**
 * What the CIS benchmark asks of a control plane and kubeadm does not do by itself. Flags of the claim take precedence,
 * and a claim that has an audit policy, log or webhook of its own gets nothing of this one.
 */
import { yamlDocument } from '#lib/api/yaml.ts';
import { AUTHENTICATION_FILE, limitsAnonymous } from './anonymous.ts';
import type { Flags } from '../claim-config.ts';
import { ENCRYPTION_FILE } from './encryption.ts';
import type { Document } from './facts.ts';
import { AUDITING_FLAG } from './traits.ts';

export const AUDIT_POLICY_FILE = '/etc/kubernetes/audit-policy.yaml';
const AUDIT_FOLDER = '/var/log/kubernetes/audit';

/** TLS 1.3 needs no list. These are of TLS 1.2, with forward secrecy and AEAD; HTTP/2 requires every client to have one. */
const CIPHER_SUITES = ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] as const;

export interface ComponentSettings {
  readonly extraArgs: Flags;
  readonly extraVolumes: readonly Document[];
}

const QUIET: Flags = { profiling: 'false' };

/** @param version  of Kubernetes, such as v1.37.1 */
export function apiServer(own: ComponentSettings, version: string, encrypted: boolean): ComponentSettings {
  const audited = auditsItself(own);
  const limited = limitsAnonymous(version, own.extraArgs);
  return {
    extraArgs: {
      ...QUIET,
      'tls-cipher-suites': CIPHER_SUITES.join(','),
      ...(encrypted ? { 'encryption-provider-config': ENCRYPTION_FILE } : {}),
      ...(audited ? {} : AUDIT),
      ...(limited ? { 'authentication-config': AUTHENTICATION_FILE } : {}),
      ...own.extraArgs,
      ...restrictingNodes(own.extraArgs),
    },
    extraVolumes: [...(audited ? [] : AUDIT_VOLUMES), ...(limited ? [AUTHENTICATION_VOLUME] : []), ...own.extraVolumes],
  };
}

/** kubeadm enables NodeRestriction with the flag that a claim for other plugins replaces. */
function restrictingNodes({ [ENABLED]: enabled, [DISABLED]: disabled = '' }: Flags): Flags {
  const names = (enabled ?? '').split(',');
  if (enabled === undefined || [...names, ...disabled.split(',')].includes(NODE_RESTRICTION)) return {};
  return { [ENABLED]: [NODE_RESTRICTION, ...names].join(',') };
}

const NODE_RESTRICTION = 'NodeRestriction';
const [ENABLED, DISABLED] = ['enable-admission-plugins', 'disable-admission-plugins'] as const;

/** Of the controller manager and of the scheduler. */
export function quiet(own: ComponentSettings): ComponentSettings {
  return { ...own, extraArgs: { ...QUIET, ...own.extraArgs } };
}

/** Laid under the claim's KubeletConfiguration. Only API servers and collectors of metrics connect to a kubelet. */
export const KUBELET: Document = { podPidsLimit: 4096, seccompDefault: true, tlsMinVersion: 'VersionTLS13' };

export function auditsItself({ extraArgs }: Pick<ComponentSettings, 'extraArgs'>): boolean {
  return Object.keys(extraArgs).some((flag) => AUDITING_FLAG.test(flag));
}

const AUDIT: Flags = {
  'audit-log-maxage': '30',
  'audit-log-maxbackup': '10',
  'audit-log-maxsize': '100',
  'audit-log-path': `${AUDIT_FOLDER}/audit.log`,
  'audit-policy-file': AUDIT_POLICY_FILE,
};

const AUTHENTICATION_VOLUME: Document = {
  name: 'authentication',
  hostPath: AUTHENTICATION_FILE,
  mountPath: AUTHENTICATION_FILE,
  readOnly: true,
  pathType: 'File',
};

const AUDIT_VOLUMES: readonly Document[] = [
  { name: 'audit-policy', hostPath: AUDIT_POLICY_FILE, mountPath: AUDIT_POLICY_FILE, readOnly: true, pathType: 'File' },
  {
    name: 'audit-log',
    hostPath: AUDIT_FOLDER,
    mountPath: AUDIT_FOLDER,
    pathType: 'DirectoryOrCreate',
  },
];

/** Who did what, without contents: a log with contents would contain every Secret. */
export const AUDIT_POLICY = yamlDocument({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    // Health, and what components renew all the time.
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*'] },
    { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'Metadata' },
  ],
});
