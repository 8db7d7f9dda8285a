/** Machines in a group: only for these the meaning of fields is known. */
import { GROUP } from '#lib/api/words.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { bootstrapperTraits } from '../bootstrap/traits.ts';

/** In any API version, because another release of the previous step may use another one. */
export function isMachine({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return kind === 'Machine' && apiVersion.startsWith(`${GROUP}/`);
}

/** What the machines of a control plane are members of, by its name. */
export function storeOf(machine: KubeObject | undefined): string {
  const provider = stringAt(machine, 'spec', 'bootstrap', 'provider') ?? '';
  return bootstrapperTraits(provider).membership?.store ?? 'etcd';
}
