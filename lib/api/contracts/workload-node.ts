/**
 * Contract "WorkloadNode": every condition that a provider for WorkloadNodes reports, with every reason it may have.
 * Functions, people and their tools read these words, so none is made up elsewhere.
 */
import { z } from 'zod';
import type { Condition, ConditionStatus } from '../conditions.ts';

interface ReasonMeaning {
  readonly status: ConditionStatus;
  /** When it is reported: a sentence. */
  readonly when: string;
}

interface ConditionMeaning {
  /** What it is about: a sentence. */
  readonly about: string;
  /** From when on it has to be there: a sentence. */
  readonly required: string;
  readonly reasons: Readonly<Record<string, ReasonMeaning>>;
}

const yes = (when: string) => ({ status: 'True', when }) as const;
const no = (when: string) => ({ status: 'False', when }) as const;
const unknown = (when: string) => ({ status: 'Unknown', when }) as const;

export const NODE_CONDITIONS = {
  Synced: {
    about: 'Whether the provider can do its work. To wait for something is not an error.',
    required: 'Always.',
    reasons: {
      ReconcileSuccess: yes('The provider did what was to be done, or waits.'),
      ReconcileError: no(
        'The workload cluster cannot be reached, a request was refused, another WorkloadNode manages the Node, it cannot be told which Node is meant, `spec.managementPolicies` is not one of the supported sets, or it is `[Observe]` and there is no Node.',
      ),
      ReconcilePaused: no(
        'The annotation `crossplane.io/paused` is `true`, or `spec.managementPolicies` is empty. Nothing is done, not even for a deletion.',
      ),
    },
  },
  Ready: {
    about: 'Whether the Node exists, is ready, and nothing is about to be done to it.',
    required: 'From the first report on that is not about a pause or an error.',
    reasons: {
      Available: yes('The Node was found and is ready.'),
      WaitingForStart: no('The machine of `spec.start` did not accept the call yet that starts its cluster.'),
      WaitingForJoinToken: no(
        'The Secret of `spec.join` does not exist yet, or holds no token; or the cluster gives none.',
      ),
      WaitingForNode: no('No such Node is registered.'),
      NodeNotReady: no('The kubelet says that the Node is not ready.'),
      NodeUnknown: no('The kubelet has not been heard of for a while.'),
      Updating: no('A disruptive update is under way.'),
      UpdateFailed: no('A disruptive update failed, and the Node stays cordoned.'),
      Deleting: no('The object is being deleted.'),
    },
  },
  NodeIdentified: {
    about:
      'Whether it is certain which Node the object stands for. A kubelet writes the provider id of its own Node, so that another machine may pass for this one.',
    required: 'While a Node has the provider id, and is not the one that the object stands for.',
    reasons: {
      Impersonated: no('The Node was found. Another one has its provider id, too, and is left alone.'),
      StrangeName: no(
        'The Node was not found. A Node has the provider id, but none of the names of the machine: the name in `spec.node`, the names in `spec.servingCertificates`, the id at the end of the provider id. provider-node leaves this Node alone; a deletion waits for a while, unless provider-node found another Node before.',
      ),
      SeveralNodes: no(
        'Several Nodes have its provider id and names of the machine, and none of them was found before. Nothing is done to any of them.',
      ),
    },
  },
  NodeHealthy: {
    about: 'What the kubelet says of its Node, whatever else happens to it.',
    required: 'Once the Node was found, except while an update or a deletion is under way.',
    reasons: {
      KubeletReady: yes('The Node is ready.'),
      KubeletNotReady: no('The Node is not ready.'),
      KubeletUnknown: unknown('The kubelet has not been heard of for a while.'),
    },
  },
  Drained: {
    about: 'Whether the Node is empty: pods that must leave it have left, and their volumes are detached.',
    required:
      'While the object is being deleted, and while a disruptive update is under way. It is removed when the update has ended: pods come back then.',
    reasons: {
      Drained: yes('The Node is empty.'),
      Skipped: yes('`spec.drain.skip` is true: the Node is not drained.'),
      Draining: no('Pods are being evicted, or have not ended.'),
      BlockedByBudget: no('A PodDisruptionBudget refuses an eviction. `status.drain.waiting` names the pods.'),
      WaitingForVolumes: no('Volumes are still attached to the Node.'),
      WaitingForHook: no(
        'An annotation `pre-drain.hooks.slipway.dev/*` or `pre-terminate.hooks.slipway.dev/*`, or the finalizer of another controller, stops the deletion.',
      ),
      TimedOut: no('`spec.drain.timeout` has passed; `spec.drain.onTimeout` says what follows.'),
      Unreachable: no('The workload cluster cannot be reached, so it is not known what runs on the Node.'),
      Unidentified: no(
        'It is not certain which Node is the one, so it is not known what runs on it. One with a strange name is let go without a drain after `spec.drain.timeout`, or after 30 minutes where that has no limit or is held.',
      ),
    },
  },
  MembershipLeft: {
    about: 'Whether the Node of a control plane has left the store of its cluster.',
    required: 'While the object is being deleted, if the Node is a member.',
    reasons: {
      Left: yes('The Node is not a member any more.'),
      NotAMember: yes('The Node never was a member.'),
      Waiting: no('Something else has to happen first, such as the start or the leaving of another member.'),
      WouldLoseQuorum: no('Without the Node, the other members would not have a healthy majority.'),
      Refused: no('The store refused. It is asked again, and the message says what it answered.'),
      Unreachable: no('The store cannot be reached.'),
    },
  },
  CertificatesValid: {
    about:
      'Whether the certificates with which the Kubernetes API and the kubelet serve are valid for 30 more days. `status.certificates` says until when.',
    required: 'Once the end of one of them is known.',
    reasons: {
      Valid: yes('All of them are.'),
      ExpiresSoon: no('One of them expires within 30 days.'),
      Expired: no('One of them has expired.'),
    },
  },
  Updated: {
    about: 'How far the update of `spec.update` has come. The same word is in `status.update.phase`.',
    required: 'Once an update was asked for.',
    reasons: {
      Succeeded: yes('The update is done and verified.'),
      Draining: no('The Node is being drained.'),
      Drained: no('The Node is empty, and another controller changes the machine.'),
      Running: no('Updaters run on the Node, or wait for their scripts.'),
      Verifying: no('The Node does not report yet what it should.'),
      Failed: no('The update failed or took too long. It is not tried again.'),
    },
  },
} as const satisfies Readonly<Record<string, ConditionMeaning>>;

type Conditions = typeof NODE_CONDITIONS;
export type NodeConditionType = keyof Conditions;
export type NodeReason<Type extends NodeConditionType> = keyof Conditions[Type]['reasons'] & string;

export const NodeConditionType = z.enum(Object.keys(NODE_CONDITIONS) as NodeConditionType[]);

/** The reasons of a condition. */
export function reasonsOf(type: NodeConditionType): z.ZodEnum<Readonly<Record<string, string>>> {
  return z.enum(Object.keys(NODE_CONDITIONS[type].reasons));
}

/**
 * A condition of a WorkloadNode; its status follows from its reason.
 * @param message  one line, the most important words last
 */
export function nodeCondition<Type extends NodeConditionType>(
  type: Type,
  reason: NodeReason<Type>,
  message?: string,
): Condition {
  const { reasons }: ConditionMeaning = NODE_CONDITIONS[type];
  const { status } = reasons[reason] ?? { status: 'Unknown' };
  return { type, status, reason, ...(message === undefined ? {} : { message }) };
}
