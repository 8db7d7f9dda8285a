/** provider-node, as far as it gives Hosts to claims: by its own decisions, a moment after anything changed. */
import type { KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { CLAIM_FINALIZER, type HostWrite, hostWrites } from '#lib/node/hosts.ts';
import type { OwnProviderParts } from '#simulator/cloud/machine.ts';
import { metaOf, withAnnotations, withFinalizer, withoutFinalizer } from '#simulator/store/object.ts';
import { refOf } from '#simulator/store/ref.ts';
import { HOST, HOST_CLAIM } from './kinds.ts';

const PROVIDER = 'provider-node';

/** Seconds. */
const LAG = 0.5;

export class ProviderNode {
  readonly #parts: OwnProviderParts;
  /** Namespaces that it will look at. */
  readonly #due = new Set<string>();

  constructor(parts: OwnProviderParts) {
    this.#parts = parts;
    parts.store.onChange(({ object }) => {
      if (object.apiVersion !== HOST.apiVersion || (object.kind !== HOST.kind && object.kind !== HOST_CLAIM.kind))
        return;
      const { namespace = '' } = metaOf(object);
      if (this.#due.has(namespace)) return;
      this.#due.add(namespace);
      parts.clock.after(LAG, () => this.#look(namespace));
    });
  }

  #look(namespace: string): void {
    const { store, clock } = this.#parts;
    this.#due.delete(namespace);
    const [hosts = [], claims = []] = [HOST, HOST_CLAIM].map((kind) => store.list({ ...kind, namespace }));
    for (const write of hostWrites({ hosts, claims }, clock.now.getTime())) this.#perform(write);
  }

  #perform(write: HostWrite): void {
    if (write.write === 'Status') return this.#report(write.object);
    const { store } = this.#parts;
    if (write.write === 'Release')
      return void store.update(withoutFinalizer(store.get(refOf(write.claim)), CLAIM_FINALIZER), PROVIDER);
    const held = withFinalizer(write.claim, CLAIM_FINALIZER);
    store.update(withAnnotations(held, { [CROSSPLANE.externalName]: write.host }), PROVIDER);
  }

  #report(object: KubeObject): void {
    const { store } = this.#parts;
    store.updateStatus({ ...store.get(refOf(object)), status: object.status ?? {} }, PROVIDER);
  }
}
