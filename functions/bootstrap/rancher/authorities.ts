/**
 * The authorities of k3s and RKE2 clusters, and the paths of their files on the first server. Later servers get them
 * from the first.
 */
import type { CarriedPart } from '../carried.ts';
import { authorityPart, type Part, pinned, serviceAccountPart, textPart } from '../parts.ts';
import { newPassword } from '../pki/token.ts';
import { PASSWORD } from './token.ts';

/** Signs certificates of the Kubernetes API and the supervisor. */
export const SERVER_CA = authorityPart('ca', 'ca', 'server-ca');
/** Signs client certificates: the administrator, kubelets. */
export const CLIENT_CA = authorityPart('client-ca', 'cca', 'client-ca');

/** Below the first server's folder for certificates. */
export const CARRIED: readonly CarriedPart[] = [
  { part: SERVER_CA, cert: 'server-ca.crt', key: 'server-ca.key' },
  { part: CLIENT_CA, cert: 'client-ca.crt', key: 'client-ca.key' },
  {
    part: authorityPart('proxy-ca', 'proxy', 'request-header-ca'),
    cert: 'request-header-ca.crt',
    key: 'request-header-ca.key',
  },
  { part: authorityPart('etcd-ca', 'etcd', 'etcd-server-ca'), cert: 'etcd/server-ca.crt', key: 'etcd/server-ca.key' },
  {
    part: authorityPart('etcd-peer-ca', 'peer-etcd', 'etcd-peer-ca'),
    cert: 'etcd/peer-ca.crt',
    key: 'etcd/peer-ca.key',
  },
  { part: serviceAccountPart('sa', 'sa'), key: 'service.key' },
];

const password = (key: string) =>
  textPart({
    key,
    suffix: key,
    field: 'value',
    make: newPassword,
    accepts: PASSWORD,
    words: 'sixteen to 128 letters and digits',
  });

/** Allows joining as a server and reading every key of the cluster. Stored keys are encrypted with it. */
export const SERVER_TOKEN = pinned(password('token'));
/** Only allows joining as an agent. */
export const AGENT_TOKEN = password('agent-token');

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [...CARRIED.map(({ part }) => part), SERVER_TOKEN, AGENT_TOKEN];
