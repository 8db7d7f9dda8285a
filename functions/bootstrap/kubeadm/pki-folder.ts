/** Where kubeadm looks for all certificates and keys. */
export const PKI = '/etc/kubernetes/pki';
