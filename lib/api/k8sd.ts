/** How k8sd of Canonical Kubernetes is reached: written by first-boot data, read by provider-node. */

/** The DaemonSet on control planes, and the port of its pods; both as in Cluster API, whose clusters have it too. */
export const PROXY = { namespace: 'kube-system', name: 'k8sd-proxy', port: 2380 } as const;

/** Port of k8sd on the machines. */
export const K8SD_PORT = 6400;

/** On that DaemonSet: the certificate with which every k8sd of the cluster serves, PEM. */
export const CERTIFICATE_ANNOTATION = 'slipway.dev/k8sd-certificate';
