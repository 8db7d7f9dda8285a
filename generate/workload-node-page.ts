/** The page of the contract that a provider for WorkloadNodes fulfils. */
import { NODE_CONDITIONS } from '#lib/api/contracts/workload-node.ts';
import { WorkloadNodeSpec, WorkloadNodeStatus } from '#lib/api/kinds/workload-node.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { markdownTable } from '../cli/terminal/markdown.ts';
import { fieldTable } from './fields/table.ts';

export function workloadNodePage(): string {
  const conditions = Object.entries(NODE_CONDITIONS).map(([type, { about, required, reasons }]) => {
    const rows = Object.entries(reasons).map(([reason, { status, when }]) => [`\`${reason}\``, status, when]);
    const table = markdownTable(['reason', 'status', 'when'], rows);
    return `### ${type}\n\n${about} Required: ${required.charAt(0).toLowerCase()}${required.slice(1)}\n\n${table}\n`;
  });
  return `# Contract: WorkloadNode

<!-- Generated from lib/api/contracts/workload-node.ts and lib/api/kinds/workload-node.ts by \`npm run generate\`. -->

${ABOUT}

## Conditions

There are no other conditions and no other reasons. Each has \`observedGeneration\`; \`lastTransitionTime\` changes with the
status only.

${conditions.join('\n')}
## spec

${fieldTable(WorkloadNodeSpec)}

## status

${fieldTable(WorkloadNodeStatus)}
`;
}

const ABOUT = `\`WorkloadNode\` (\`${NODE_API_VERSION}\`) stands for one Node of a workload cluster. The machine step composes it;
provider-node serves it. Another provider may serve it instead, if it does what this page says:
[the suite](../../test/provider-node/conformance.ts) tests it.

- **Reach.** \`spec.providerConfigRef\` names a ProviderConfig, whose Secret holds a kubeconfig. The provider keeps the
  ProviderConfig with the finalizer \`in-use.crossplane.io\` until no WorkloadNode uses it.
- **Find.** The Node has the provider id of \`spec.node\`, or its name if there is none. It is then the external name
  (annotation \`crossplane.io/external-name\`), and \`status.nodeRef\` has its uid. A Node of another uid is another Node.
  A kubelet writes its own provider id: the Node that was found before stays the one, and a new one also has a name of its
  machine – that of \`spec.node\`, one of \`spec.servingCertificates\`, or the id at the end of the provider id. Others are
  left alone, and condition \`NodeIdentified\` names them. If it is not clear which one it is, nothing is done to any.
  Of several WorkloadNodes of a ProviderConfig that have found a Node, the oldest manages it.
- **Remember** in the status of the WorkloadNode, and never on the Node: what was set on it (\`status.marks\`, written before
  it is set), and its member of the store (\`status.member\`). What a kubelet can write decides nothing.
- **Set.** Labels, annotations, taints and the cordon of the spec are set, and removed when they leave the spec. What others
  set stays.
- **Hold.** A finalizer of the provider holds the object until its Node is drained and deleted: only this keeps the machine
  alive until then. It is put on the object before anything else is done.
- **Join.** A bootstrap token of \`spec.join\` is in the cluster while the Node has not registered. With kinds
  \`CanonicalKubernetes…\`, ask k8sd for a token (through a port-forward to DaemonSet \`kube-system/k8sd-proxy\`, only if it
  serves with the certificate in the annotation \`slipway.dev/k8sd-certificate\` of that DaemonSet), write it into the
  Secret, owned by this object, and set \`status.join.secretRef\`. Delete the Secret once the Node is there. A Secret that
  the object does not own is left alone.
- **Delete.** In this order: wait until no other finalizer is left, except \`foregroundDeletion\` and \`orphan\`; cordon;
  wait for annotations \`pre-drain.hooks.slipway.dev/*\` to be removed; evict pods by \`spec.drain\`; wait until volumes are
  detached; wait for annotations \`pre-terminate.hooks.slipway.dev/*\`; leave the store of the cluster
  (\`spec.membership\`; one member of a cluster at a time, never the last one, and only while the others have a healthy
  majority, which is checked again right before); delete the Node, with its uid as a precondition; delete the join token; drop the finalizer. Each
  step follows from what is seen, so that it may be repeated.
- **Evict.** By the Eviction API, so that budgets hold. Left alone are pods of a DaemonSet that exists, unless they have
  finished; mirror pods; pods with the label \`cluster.x-k8s.io/drain: skip\`; on a Node that does not respond, also those
  that were told to end. Pods with \`cluster.x-k8s.io/drain: wait-completed\` are waited for. Rules of \`spec.drain\` decide
  about all others, and only pods of the lowest \`order\` that is left are evicted. No pod is ever deleted.
- **Do not drain** if the ProviderConfig is being deleted: then the whole cluster is. Nothing else is this signal. If the
  cluster cannot be reached for 30 minutes, the object is let go with a Warning event, unless \`spec.drain.onTimeout\` is
  \`Hold\`, \`spec.drain.timeout\` is \`0s\`, or the Node is a member of the store. An API that answers
  401 or 403 can be reached: that wait has no limit.
- **Update.** Each \`spec.update.id\` is run once: cordon the Node and drain it if the update is \`disruptive\`; wait while
  \`hold\` is true; run the scripts of \`updaters\` on the Node as root, in their order, each from its key of the Secret; wait
  until the Node is ready and its kubelet reports \`version\`; remove the cordon. The phase never goes back. An update that
  fails, or is not done within \`timeout\`, leaves the Node of a disruptive one cordoned, and is not tried again.
- **Approve**, with \`spec.servingCertificates.approve\`, a request for a certificate of \`kubernetes.io/kubelet-serving\` if
  the kubelet of the Node itself sent it, and it asks for nothing but the \`names\` and \`addresses\` of the spec. Others stay
  pending, in \`status.certificates.pending\`; none is denied.
- **Managed resource.** \`spec.managementPolicies\` and the annotations \`crossplane.io/paused\`,
  \`crossplane.io/poll-interval\` and \`crossplane.io/reconcile-requested-at\` mean what they mean for every provider. An
  object that may not be deleted (no \`Delete\`) is released without a look at its cluster.`;
