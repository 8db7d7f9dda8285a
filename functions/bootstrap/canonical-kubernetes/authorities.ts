/**
 * The authorities of Canonical Kubernetes. The first machine gets them in its files; joining machines get them from the
 * cluster.
 */
import { AUTH } from '../auth-token.ts';
import { authorityPart, type Part, serviceAccountPart } from '../parts.ts';

/** Signs the certificate of the Kubernetes API. */
export const CA = authorityPart('ca', 'ca', 'kubernetes-ca');
/** Signs client certificates: the administrator, kubelets. The name is from Cluster API. */
export const CLIENT_CA = authorityPart('client-ca', 'cca', 'kubernetes-ca-client');
export const PROXY_CA = authorityPart('proxy-ca', 'proxy', 'front-proxy-ca');
export const SERVICE_ACCOUNT = serviceAccountPart('sa', 'sa');

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [CA, CLIENT_CA, PROXY_CA, SERVICE_ACCOUNT, AUTH];
