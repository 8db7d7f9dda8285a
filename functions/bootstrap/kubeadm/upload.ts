/**
 * Before a control plane joins, it writes the cluster configuration of its claim to the cluster. kubeadm joins with the
 * configuration it finds there, which would otherwise always be the version and flags of the first machine.
 */

/** The ClusterConfiguration of the claim as it is now. */
export const CLUSTER_FILE = '/etc/kubernetes/kubeadm-cluster.yaml';

/** A temporary administrator kubeconfig, signed by the authority on the machine, and deleted when the command ends. */
const ADMIN_FILE = '/etc/kubernetes/slipway-upload.conf';

/** Shell. The Kubernetes API may be unreachable for a while: it waits for five minutes, like kubeadm join. */
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
