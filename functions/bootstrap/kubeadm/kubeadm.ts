/** kubeadm: static authorities and token on the cluster's side, init and join on the machine's. */
import type { Bootstrapper } from '../bootstrapper.ts';
import { clusterScope } from './cluster.ts';
import { machineScope } from './machine.ts';

export const kubeadm: Bootstrapper = { forCluster: clusterScope, forMachine: machineScope };
