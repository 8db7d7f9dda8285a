/** What a bootstrapper's folder does; the registry below is the one line that adds it. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { World } from '#lib/fn/world.ts';
import type { BootstrapInput } from './input.ts';
import { kubeadm } from './kubeadm/kubeadm.ts';

export interface Call<Kind> {
  readonly request: Request;
  readonly reply: Reply;
  readonly world: World;
  readonly input: BootstrapInput;
  readonly composite: Kind;
  /** How messages call the XR. */
  readonly owner: string;
}

export interface Bootstrapper {
  /** Makes and keeps what the whole cluster shares, and reports it on the Cluster. */
  readonly forCluster: (call: Call<Cluster>) => Promise<void>;
  /** The plan of one machine, or what it waits for. `cluster` is ready to be joined or, for Init, to be started. */
  readonly forMachine: (call: Call<Machine>, cluster: Cluster) => BootstrapPlan | { readonly waiting: string };
}

const BOOTSTRAPPERS: Readonly<Record<string, Bootstrapper>> = { kubeadm };

export function bootstrapperOf(provider: string, owner: string): Bootstrapper {
  const found = Object.hasOwn(BOOTSTRAPPERS, provider) ? BOOTSTRAPPERS[provider] : undefined;
  if (found !== undefined) return found;
  throw refusal(
    owner,
    'spec.bootstrap.provider',
    provider,
    Object.keys(BOOTSTRAPPERS).toSorted().join(', '),
    'Unsupported',
  );
}
