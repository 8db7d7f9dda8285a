/**
 * The token by which provider-node is let in by the cluster agents of MicroK8s, and by k8sd of Canonical Kubernetes.
 */

/** Secret `<cluster>-capi-auth-token` and its key, and the header that carries the token; all as in Cluster API. */
export const AUTH_TOKEN = { suffix: 'capi-auth-token', key: 'token', header: 'capi-auth-token' } as const;
