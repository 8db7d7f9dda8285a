/**
 * From the files of a machine to how it starts or joins its cluster. A new bootstrapper needs its file and a line here;
 * those of third parties are passed in.
 */
import { BootFailure } from '../first-boot/boot-failure.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import { canonicalKubernetes } from './canonical-kubernetes.ts';
import { bottlerocket, nodeadm } from './eks.ts';
import { k0s } from './k0s.ts';
import { kubeadm } from './kubeadm.ts';
import { microk8s } from './microk8s.ts';
import type { JoinPlan, Tool } from './plan.ts';
import { rancher } from './rancher.ts';
import { talos } from './talos.ts';

/** Why a machine never becomes a node that a real one may become: its image has the program of somebody else. */
export const UNKNOWN_PROGRAM =
  'no file of a bootstrap provider is among the files; simulated machines run only those that come with Slipway';

const TOOLS: readonly Tool[] = [kubeadm, k0s, rancher, microk8s, canonicalKubernetes, talos, nodeadm, bottlerocket];

/** @param others  bootstrappers of third parties; they are tried first */
export function joinPlanOf(boot: FirstBoot, others: readonly Tool[] = []): JoinPlan {
  const tool = [...others, ...TOOLS].find(({ recognises }) => recognises(boot));
  if (tool === undefined) throw new BootFailure(UNKNOWN_PROGRAM);
  return tool.plan(boot);
}
