/** Objects of other projects with the same jobs, such as Cluster API: nothing here reads them, and nobody else would say so. */
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';

interface Project {
  readonly name: string;
  readonly group: RegExp;
  /** What Slipway has instead, by kind; the first that fits. */
  readonly instead: readonly (readonly [kind: RegExp, instead: string])[];
}

const WHOLE = 'a Cluster and its NodePools';
const CLUSTER = 'a Cluster';
const POOL = 'a NodePool';
const MACHINES = 'a NodePool, which creates its Machines';
const TEMPLATE = 'spec.machine of a NodePool, and spec.controlPlane.machine of a Cluster';
const CONFIG = 'spec.bootstrap.config of a Cluster or of a NodePool';

const PROJECTS: readonly Project[] = [
  {
    name: 'Cluster API',
    group: /^(?:.+\.)?cluster\.x-k8s\.io$/,
    instead: [
      [/^Cluster$/, CLUSTER],
      [/^ClusterClass$/, 'a Composition, which a Cluster chooses by a label'],
      [/^(?:ClusterResourceSet(?:Binding)?|HelmChartProxy|HelmReleaseProxy)$/, 'spec.addons of a Cluster'],
      [/^ExtensionConfig$/, 'a function of your own in a Composition'],
      [/ControlPlane(?:Template)?$/, 'spec.controlPlane of a Cluster'],
      [/^Machine(?:Deployment|Set|Pool)$/, POOL],
      [/^Machine$/, MACHINES],
      [/^MachineHealthCheck$/, 'spec.health of a Cluster or of a NodePool'],
      [/^MachineDrainRule$/, 'spec.update.drain of a Cluster or of a NodePool'],
      [/Config(?:Template)?$/, CONFIG],
      [/Machine(?:Pool)?(?:Template)?$/, TEMPLATE],
      [/Cluster(?:Template)?$/, 'spec.infrastructure of a Cluster, and its Composition'],
    ],
  },
  {
    name: 'Karpenter',
    group: /^karpenter\./,
    instead: [
      [/^(?:NodePool|Provisioner)$/, POOL],
      [/^(?:NodeClaim|Machine)$/, MACHINES],
      [/NodeClass$|NodeTemplate$/, 'spec.machine of a NodePool'],
    ],
  },
  {
    name: 'kOps',
    group: /^kops\.k8s\.io$/,
    instead: [
      [/^Cluster$/, CLUSTER],
      [/^InstanceGroup$/, POOL],
    ],
  },
  { name: 'Gardener', group: /^core\.gardener\.cloud$/, instead: [] },
  { name: 'eksctl', group: /^eksctl\.io$/, instead: [] },
  { name: 'kubeadm', group: /^kubeadm\.k8s\.io$/, instead: [[/./, CONFIG]] },
  { name: 'kube-proxy', group: /^kubeproxy\.config\.k8s\.io$/, instead: [[/./, CONFIG]] },
  { name: 'kubelet', group: /^kubelet\.config\.k8s\.io$/, instead: [[/./, CONFIG]] },
];

type Typed = Pick<KubeObject, 'apiVersion' | 'kind'>;

/** `is of Cluster API; what Slipway has instead: a NodePool`; undefined: it has nothing to do with Slipway's jobs. */
export function ofOtherProject({ apiVersion, kind }: Typed): string | undefined {
  const [group = ''] = apiVersion.split('/');
  const project = PROJECTS.find((one) => one.group.test(group));
  if (project === undefined) return undefined;
  const [, instead = WHOLE] = project.instead.find(([named]) => named.test(kind)) ?? [];
  return `is of ${project.name}; what Slipway has instead: ${instead}`;
}

/** A sentence for each kind of such objects beside claims, which names the first of them. */
export function notesOnOthers(objects: readonly KubeObject[]): readonly string[] {
  const kinds = Map.groupBy(
    objects.filter((one) => ofOtherProject(one) !== undefined),
    ({ apiVersion, kind }) => `${apiVersion}|${kind}`,
  );
  return [...kinds.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    const named = first.metadata?.name === undefined ? first.kind : describeObject(first);
    return [`nothing is made of ${named}${others}: ${first.apiVersion} ${ofOtherProject(first) ?? ''}`];
  });
}
