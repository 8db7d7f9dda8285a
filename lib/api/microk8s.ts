/** Ports of MicroK8s on the machines of its control plane: set by first-boot data, used by provider-node. */

/** Of the cluster agent, where machines join and members leave. */
export const MICROK8S_AGENT_PORT = 25_000;

/** Of dqlite between control planes: that of etcd, which the cluster step opens between them. */
export const DQLITE_PORT = 2379;
