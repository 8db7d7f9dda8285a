/** What clusters of Canonical Kubernetes are made of. Its first machine is told them; those that join are given them by the cluster. */
import { authorityPart, type Part, serviceAccountPart } from '../parts.ts';

/** Signs what the Kubernetes API shows. */
export const CA = authorityPart('ca', 'ca', 'kubernetes-ca');
/** Signs what clients show: the administrator, kubelets. Cluster API's name for it. */
export const CLIENT_CA = authorityPart('client-ca', 'cca', 'kubernetes-ca-client');
export const PROXY_CA = authorityPart('proxy-ca', 'proxy', 'front-proxy-ca');
export const SERVICE_ACCOUNT = serviceAccountPart('sa', 'sa');

/** In the order of their Secrets. */
export const PARTS: readonly Part[] = [CA, CLIENT_CA, PROXY_CA, SERVICE_ACCOUNT];
