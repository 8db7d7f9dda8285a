/**
 * What a control plane does before it joins: it writes what its claim says of the cluster into the cluster. kubeadm joins by what
 * it finds there, which would be the version and the flags of the machine that started the cluster, for ever.
 */

/** The ClusterConfiguration of the claim as it is now. */
export const CLUSTER_FILE = '/etc/kubernetes/kubeadm-cluster.yaml';

/** An administrator's kubeconfig, issued by the authority the machine carries, and gone when the command ends. */
const ADMIN_FILE = '/etc/kubernetes/slipway-upload.conf';

/** Shell. The Kubernetes API may be out of reach for a while: as long as kubeadm join itself waits, five minutes. */
export const UPLOAD = `umask 077
unset HTTP_PROXY http_proxy HTTPS_PROXY https_proxy
trap 'rm -f ${ADMIN_FILE}' EXIT
kubeadm kubeconfig user --config ${CLUSTER_FILE} --org system:masters --client-name slipway-first-boot >${ADMIN_FILE}
tries=1
until kubeadm init phase upload-config kubeadm --config ${CLUSTER_FILE} --kubeconfig ${ADMIN_FILE}; do
  [ "$tries" -lt 30 ] || exit 1
  tries=$((tries + 1))
  sleep 10
done`;
