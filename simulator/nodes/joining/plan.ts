/** How a machine starts or joins its cluster, independent of the program that does it. */
import type { Json } from '#lib/api/json.ts';
import type { FirstBoot } from '../first-boot/format.ts';

interface Common {
  /** Prefix of the machine's log messages: kubeadm init. */
  readonly tool: string;
  /** `host:port` of the Kubernetes API. */
  readonly endpoint: string;
  readonly nodeName: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Json[];
  readonly version: string | undefined;
}

export interface Start extends Common {
  readonly action: 'init';
  /** PEM of the authority that signed the certificate of the Kubernetes API. */
  readonly ca: string;
  readonly tokens: readonly string[];
  /** Seconds that they are valid. @default for ever */
  readonly tokensFor?: number;
  /** Whether the program installs a pod network. @default true */
  readonly network?: boolean;
  /** Whether it needs no load balancer to reach the API of its own machine. @default false */
  readonly reachesItself?: true;
  /** What lets in who asks the cluster for tokens. */
  readonly auth?: string;
}

export interface Join extends Common {
  readonly action: 'join';
  readonly controlPlane: boolean;
  /** Absent: the cloud authenticates its machine. */
  readonly token: string | undefined;
  /** It is valid for one machine only. */
  readonly once?: true;
  /** `host:port` for joining; absent: that of the Kubernetes API. */
  readonly by?: string;
  /** Whether it is the authority that the machine trusts. */
  readonly trusts: (ca: string) => boolean;
}

/** It joins an existing cluster; if there is none, it waits for a call and then starts one. */
export interface Called extends Common {
  readonly action: 'called';
  readonly start: Start;
  readonly join: Join;
  /** Why it refuses the credentials of a caller; undefined if it accepts them. */
  readonly admits: (credentials: string) => string | undefined;
}

export type JoinPlan = Start | Join | Called;

/** One bootstrapper's files. */
export interface Tool {
  /** Whether the files are those of this bootstrapper. */
  readonly recognises: (boot: FirstBoot) => boolean;
  /** Throws BootFailure for files that its program would refuse. */
  readonly plan: (boot: FirstBoot) => JoinPlan;
}

/** A taint as the flags of the kubelet write it. */
export function taintOf(text: string): Json {
  const [, key = '', value, effect = ''] = /^([^=:]+)(?:=([^:]*))?:(.+)$/.exec(text) ?? [];
  return value === undefined ? { key, effect } : { key, value, effect };
}
