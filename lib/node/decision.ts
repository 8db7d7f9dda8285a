/** What provider-node does next, as data: an action with its reason, or the verdict that ends the look. */
import type { Condition } from '#lib/api/conditions.ts';
import type { NodeConditionType } from '#lib/api/contracts/workload-node.ts';
import type { BootstrapKind } from '#lib/api/fields/join.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { EtcdMember, NodeDeletion } from './situation.ts';

/** After an action the player adds what came of it to the situation and decides again. */
export type Decision = { readonly next: Action } | { readonly end: Verdict };

export type Action = Steps & { readonly why: string };

type Steps =
  | { readonly do: 'Look'; readonly at: Observation }
  /** Puts the finalizer on the object. */
  | { readonly do: 'Hold' }
  /** Puts the name of the Node on the object, as the annotation `crossplane.io/external-name`. */
  | { readonly do: 'Name'; readonly externalName: string }
  /** Creates the ProviderConfigUsage, or makes it what it should be. */
  | { readonly do: 'Track'; readonly usage: KubeObject }
  /** Writes on the object's status at once: what must not be forgotten when the player stops now. */
  | { readonly do: 'Note'; readonly status: JsonObject }
  /** Calls the machine that starts its cluster, with what the Secret of `spec.start` holds. */
  | { readonly do: 'CallStart'; readonly address: string }
  /** Writes the token of `spec.join` into the workload cluster, under that name, or extends it. */
  | {
      readonly do: 'AdmitToken';
      readonly tokenSecret: string;
      readonly expiresAt: string;
      readonly kind: BootstrapKind;
    }
  /**
   * Asks the cluster for a token by which the machine of that name joins, and writes it into the Secret of `spec.join`,
   * next to the object and owned by it; one that is there already is only written if it is owned by the object.
   */
  | { readonly do: 'RequestToken'; readonly name: string; readonly worker: boolean; readonly seconds: number }
  /** Deletes the Secret of `spec.join`, if the object owns it. */
  | { readonly do: 'DropToken' }
  /** Changes only when a token of others expires; none is fine. */
  | { readonly do: 'ExpireToken'; readonly tokenSecret: string; readonly expiresAt: string }
  /** Deletes it in the workload cluster; none is fine. */
  | { readonly do: 'WithdrawToken'; readonly tokenSecret: string }
  /** Writes on the object's status what is about to be set on its Node; only if the object is as it was read. */
  | { readonly do: 'Record'; readonly status: JsonObject }
  /** A JSON merge patch. It holds for the Node of that uid only. */
  | { readonly do: 'PatchNode'; readonly name: string; readonly uid: string; readonly patch: JsonObject }
  /** By the Eviction API, so that budgets are honoured. */
  | { readonly do: 'Evict'; readonly pods: readonly PodName[]; readonly gracePeriodSeconds?: number }
  /** Runs the scripts of the Secret on the Node, in this order, once for the id. */
  | { readonly do: 'RunUpdaters'; readonly id: string; readonly updaters: readonly string[]; readonly seconds: number }
  /** Removes the pod of a run, and what belongs to it, from the workload cluster; then writes on the object's status. */
  | { readonly do: 'ClearRun'; readonly pod: string; readonly status: JsonObject }
  /**
   * Takes a member out of the store of its cluster, by what `membershipAsked` says; the leader hands over first. The
   * player asks `membershipOf` again right before it acts, and lets no two members of a cluster leave at once.
   */
  | { readonly do: 'LeaveStore'; readonly member: MemberRef }
  /** Approves a CertificateSigningRequest, only that of the uid. */
  | { readonly do: 'Approve'; readonly request: string; readonly uid: string }
  /** With the uid as a precondition. */
  | { readonly do: 'DeleteNode'; readonly name: string; readonly uid: string; readonly because: NodeDeletion };

/** What can be looked at; each is a part of the situation. */
export type Observation =
  | 'Config'
  | 'StartSecret'
  | 'JoinToken'
  | 'HeldToken'
  | 'Scripts'
  | 'Workload'
  | 'Pods'
  | 'Volumes'
  | 'Etcd'
  | 'Certificates'
  | 'Run';

/** A member of the store of a cluster. */
export type MemberRef = Pick<EtcdMember, 'name' | 'id'>;

export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

export interface Verdict {
  /** Written on the object, before anything is let go; undefined: nothing is written. */
  readonly report?: Report;
  /** The finalizer is dropped. */
  readonly release?: Release;
  readonly again: Again;
  /** Events about the object. */
  readonly tell?: readonly Tell[];
}

/** Of all events about a WorkloadNode: one word each, as crossplane-runtime has it where it has one. */
export const EVENT_REASONS = [
  'ReconciliationPaused',
  'ReconcileRequestHandled',
  'ManagementPolicyInvalid',
  'CannotObserveExternalResource',
  'CertificateRequestPending',
  'CertificateExpires',
  'NotDrained',
] as const;

export interface Tell {
  readonly type: 'Normal' | 'Warning';
  readonly reason: (typeof EVENT_REASONS)[number];
  readonly message: string;
}

export interface Report {
  /** Laid over the status, key by key; null removes a key. */
  readonly status: JsonObject;
  readonly conditions: readonly Condition[];
  /** Conditions that are removed: what they are about is over. */
  readonly without?: readonly NodeConditionType[];
}

export interface Release {
  /** Why the Node was not drained, or not to the end; undefined: it was, or there was nothing to drain. */
  readonly undrained?: string;
}

/** When to look again at the latest, in seconds. Neither: when an object changes. */
export interface Again {
  /** Then something is due by the clock, whatever changes until then. */
  readonly due?: number;
  /** How often to look where nobody tells of changes. */
  readonly poll?: number;
}

/** Seconds between looks at what cannot be read or reached, or does not tell of its changes. */
export const RETRY = 10;

export function look(at: Observation, why: string): Decision {
  return { next: { do: 'Look', at, why } };
}
