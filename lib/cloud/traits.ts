/**
 * What other steps and clouds must know about a bootstrapper or a provisioner: only data, in a table in its own folder.
 * Clouds get what they need as arguments.
 */
import { at } from '#lib/api/json.ts';
import type { HostOs, PlanKind, PlanNeed } from '#lib/api/contracts/bootstrap-plan.ts';
import type { MembershipKind } from '#lib/api/kinds/workload-node.ts';
import type { Traffic } from './traffic.ts';

/** Minors of Kubernetes 1. */
export interface Minors {
  readonly oldest: number;
  /** Left out: no upper limit. */
  readonly newest?: number;
  /** What changed in the bootstrapper, and with which minor. */
  readonly since?: Readonly<Record<string, number>>;
}

/** Releases of a system that contains Kubernetes, of which each runs fewer minors than the bootstrapper supports. */
export interface ReleasesTrait {
  /** As people call it. */
  readonly of: string;
  /** Of `spec.bootstrap.config`: which release it is. */
  readonly field: string;
  /** Where the field is left out. */
  readonly usual: string;
  readonly minors: Readonly<Record<string, Minors>>;
}

export interface MembershipTrait {
  readonly kind: MembershipKind;
  /** What it takes the machine out of; left out: etcd. */
  readonly store?: string;
  /** What is needed for it is in Secret `<cluster>-<this>`. */
  readonly secretSuffix?: string;
  /** Minor of Kubernetes since which it works; left out: always. */
  readonly since?: number;
}

export interface KubeletTrait {
  /** Of `spec.bootstrap.config`. */
  readonly field: string;
  /** Minor of Kubernetes since which the script works; left out: always. */
  readonly since?: number;
  /** Names of fields that a node keeps for its life. */
  readonly lasting: readonly string[];
}

/** What a cluster needs besides its nodes, and some bootstrappers bring. */
export const PARTS = ['network', 'kube-proxy', 'dns'] as const;
export type ClusterPart = (typeof PARTS)[number];

export interface BringsTrait {
  readonly part: ClusterPart;
  /** Settings that switch it off: a path below `spec.bootstrap.config`, and values that it, or an item of it, then has. */
  readonly unless: readonly { readonly field: readonly string[]; readonly is: readonly (string | boolean)[] }[];
}

/** A file that a plan writes. */
export interface WrittenFile {
  /** With `with`, <host> and <index> stand for those of a registry. */
  readonly path: string;
  /** The setting of a claim for which it is written; left out: whatever the claim says. */
  readonly with?: 'registry' | 'certificate of a registry' | 'proxy';
  /** Settings of new clusters for which it is not written; left out: none. */
  readonly unless?: WithoutFile;
  /** Left out: of both. Of a control plane, perhaps only on its first machine or only on others. */
  readonly role?: 'control-plane' | 'worker';
  /** Left out: on all. */
  readonly os?: HostOs;
}

interface WithoutFile {
  /** Below `spec.bootstrap.config`. */
  readonly field: readonly string[];
  /** The value there, or a key of the object there. */
  readonly is: false | RegExp;
  /** Minor of Kubernetes since which it is written; left out: always. */
  readonly since?: number;
}

/** What its plans need of a format; this decides which formats can express them. */
export interface PlanTrait {
  readonly kind: PlanKind;
  /** Supported operating systems; left out: only linux. Control planes always run linux. */
  readonly os?: readonly HostOs[];
  /** What its plans need on a host besides what every such host has. */
  readonly needs?: readonly PlanNeed[];
  /** A claim has no file at these paths. */
  readonly writes?: readonly WrittenFile[];
}

export interface BootstrapperTraits extends Traffic {
  /** undefined: one that is not ours, whose plans are not known before there is a machine. */
  readonly plan: PlanTrait | undefined;
  /** Whether it makes control planes of machines. False: a cloud runs them, and it joins workers to them. */
  readonly controlPlanes: boolean;
  /** Parts of a cluster that it installs itself, so that no add-on does it a second time. */
  readonly brings: readonly BringsTrait[];
  /**
   * A nodeSelector for its control planes. null: the usual label, which charts select by default, is on none of them.
   */
  readonly controlPlaneNodes: Readonly<Record<string, string | null>>;
  /**
   * Path below `spec.bootstrap.config` of an etcd elsewhere; undefined: etcd always runs on the control plane's
   * machines.
   */
  readonly externalEtcd: readonly string[] | undefined;
  /** How provider-node takes a control-plane machine out of the store of its cluster; undefined: it has none to leave. */
  readonly membership: MembershipTrait | undefined;
  /** Whether its hosts have a shell, so that a script can change the configuration of a node that exists. */
  readonly hasShell: boolean;
  /** Whether a script brings a worker to a newer patch version of Kubernetes. */
  readonly updatesKubernetes: boolean;
  /** Whether a script brings mirrors of registries to a node. */
  readonly updatesRegistries: boolean;
  /** The settings of the kubelet that a script brings to a node; undefined: none. */
  readonly kubelet: KubeletTrait | undefined;
  /**
   * Fields of `spec.bootstrap.config` that say only where the first boot gets its programs: a machine that exists has them.
   */
  readonly sources: readonly string[];
  /** systemd units that pull images; they read the certificates a host trusts only when they start. */
  readonly imagePullers: readonly string[];
  /** Versions it makes nodes of; undefined: whatever the claim says. */
  readonly minors: Minors | undefined;
  /** Further limits of versions; undefined: none. */
  readonly releases: ReleasesTrait | undefined;
}

/** @param config  `spec.bootstrap.config` of a Cluster */
export function bringsPart({ brings }: BootstrapperTraits, part: ClusterPart, config: unknown): boolean {
  const trait = brings.find((one) => one.part === part);
  if (trait === undefined) return false;
  return !trait.unless.some(({ field, is }) => {
    const value: unknown = at(config, ...field);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return is.some((off) => values.includes(off));
  });
}

/** The table of one bootstrapper. What it leaves out has the default, which is also that of one that is not ours. */
export type BootstrapperTable = Partial<BootstrapperTraits> &
  Pick<BootstrapperTraits, 'hasShell' | 'updatesKubernetes'>;

export interface ProvisionerTraits {
  /** Name of its format in Cluster API: `format` of the payload, and of the Secret that contains it. */
  readonly payload: string;
  /** MIME type of it. */
  readonly contentType: string;
  /**
   * Whether a script that cloud-init runs before anything else may fetch all of it and leave it where the contract
   * "payload" says. False: it is fetched in part, where a payload has two parts, or not at all.
   */
  readonly fetchedWhole: boolean;
  /** Whether a machine can fetch a part of it, and the rest comes with the machine; left out: it cannot. */
  readonly apart?: boolean;
  /** Whether its data, or what is in it, is gzipped where that is smaller; left out: it is. */
  readonly packs?: boolean;
  /** Whether it holds secrets that let a machine join. */
  readonly joinSecrets: boolean;
  /** Whether nothing can be written below /usr of the images that boot by it; left out: it can. */
  readonly readOnlyUsr?: boolean;
  /** Its hosts boot only images of one of these; left out: of any that has it. The first word is in the names of such images. */
  readonly systems?: readonly string[];
  /** Paths of the files that every first boot has besides those of claim and plan. */
  readonly writes?: readonly string[];
  readonly expresses: ExpressesTrait;
}

/** What a format can express. */
export interface ExpressesTrait {
  /** Supported kinds of plan. */
  readonly takes: readonly PlanKind[];
  /** Operating system of its hosts, if they run commands; left out: linux. */
  readonly os?: HostOs;
  /** What its hosts may have besides what all of them have. */
  readonly has?: readonly PlanNeed[];
  /** Fields of the customisation that it cannot express, each with an alternative. A claim that sets one is refused. */
  readonly limits: Readonly<Record<string, string>>;
  /** Other formats whose `raw` fields it reads, because its data contains a part in them. */
  readonly raws?: readonly string[];
}
