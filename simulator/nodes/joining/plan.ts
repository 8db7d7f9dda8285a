/** What a machine is told to do about its cluster, apart from the program that does it. */
import type { Json } from '#lib/api/json.ts';
import type { FirstBoot } from '../first-boot/format.ts';

interface Common {
  /** Begins what the machine's log says: kubeadm init. */
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
  /** PEM of the authority that the Kubernetes API's certificate is signed by. */
  readonly ca: string;
  readonly tokens: readonly string[];
}

export interface Join extends Common {
  readonly action: 'join';
  readonly controlPlane: boolean;
  /** Left out: the cloud vouches for its machine. */
  readonly token: string | undefined;
  /** `host:port` it joins by; left out, the Kubernetes API's. */
  readonly by?: string;
  /** Whether that authority is the one it was told to trust. */
  readonly trusts: (ca: string) => boolean;
}

/** It joins the cluster there is; where there is none it waits to be called, and starts one then. */
export interface Called extends Common {
  readonly action: 'called';
  readonly start: Start;
  readonly join: Join;
  /** What it has against a caller's credentials; undefined when it lets them in. */
  readonly admits: (credentials: string) => string | undefined;
}

export type JoinPlan = Start | Join | Called;

/** One bootstrapper's files. */
export interface Tool {
  /** Whether the files are its own. */
  readonly recognises: (boot: FirstBoot) => boolean;
  /** Throws BootFailure for what its program would refuse. */
  readonly plan: (boot: FirstBoot) => JoinPlan;
}

/** A taint as the flags of the kubelet write it. */
export function taintOf(text: string): Json {
  const [, key = '', value, effect = ''] = /^([^=:]+)(?:=([^:]*))?:(.+)$/.exec(text) ?? [];
  return value === undefined ? { key, effect } : { key, value, effect };
}
