/** The cases of each distribution in the order they are run; each looks at the machines as they are. */
import { addOnsCase } from './add-ons.ts';
import { anonymousCase } from './anonymous.ts';
import { authorityCase } from './authority.ts';
import { benchmarkCase } from './benchmark.ts';
import type { Case } from './case.ts';
import { firstBootCase } from './first-boot.ts';
import { hostCase } from './host.ts';
import { joinsCase } from './joins.ts';
import { k3sCase } from './k3s.ts';
import { kubeconfigCase } from './kubeconfig.ts';
import { nodeCase } from './node.ts';
import { providerNodeCase } from './provider-node.ts';
import { replacedCase } from './replaced.ts';
import { rightsCase } from './rights.ts';
import { secretsCase } from './secrets.ts';
import { updatesCase } from './updates.ts';
import { versionCase } from './version.ts';

/** Of kubeadm, for a control plane whose claim sets none. */
const CONTROL_PLANE_TAINTS = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }];

export const KUBEADM_CASES: readonly Case[] = [
  firstBootCase,
  addOnsCase,
  joinsCase,
  hostCase,
  nodeCase({ release: '', controlPlaneTaints: CONTROL_PLANE_TAINTS }),
  authorityCase,
  kubeconfigCase,
  secretsCase,
  versionCase,
  anonymousCase,
  benchmarkCase,
  updatesCase,
  replacedCase,
  // It takes machines out of the cluster.
  providerNodeCase,
  rightsCase,
];

export const K3S_CASES: readonly Case[] = [k3sCase, hostCase, nodeCase({ release: '+k3s1', controlPlaneTaints: [] })];
