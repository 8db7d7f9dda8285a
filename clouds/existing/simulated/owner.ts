/**
 * The owner of hosts, who goes by what the API shows: starts the host of a claim that is Ready with its first-boot data,
 * switches it off when the claim is gone, and then prepares it again.
 */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { OwnProviderParts } from '#simulator/cloud/machine.ts';
import { annotationsOf, metaOf } from '#simulator/store/object.ts';
import { refOf } from '#simulator/store/ref.ts';
import { HOST, HOST_CLAIM } from './kinds.ts';

const OWNER = 'owner-of-hosts';

/** Seconds. */
const SWITCHED_ON = [20, 60] as const;
const PREPARED = [60, 120] as const;

/** A host that runs a machine. No provider like others manages it. */
export const RUNNING_HOST: CloudKind = {
  ...HOST_CLAIM,
  title: 'Host',
  arn: (id) => id,
  seconds: { create: [1, 1], update: [1, 1], delete: [1, 1] },
  forceNew: [],
  references: {},
};

export class Owner {
  readonly #parts: OwnProviderParts;
  /** Uids of claims whose hosts are on, or will be. */
  readonly #started = new Set<string>();
  /** By uid of the claim. */
  readonly #running = new Map<string, CloudObject>();
  /** Uids of hosts that are being prepared. */
  readonly #preparing = new Set<string>();

  constructor(parts: OwnProviderParts) {
    this.#parts = parts;
    parts.store.onChange(({ type, object }) => {
      if (object.apiVersion !== HOST.apiVersion) return;
      if (object.kind === HOST_CLAIM.kind) this.#seeClaim(object, type === 'deleted');
      if (object.kind === HOST.kind && type !== 'deleted') this.#seeHost(object);
    });
  }

  #seeClaim(claim: KubeObject, isGone: boolean): void {
    const { uid = '' } = metaOf(claim);
    const { clock, dice, remove } = this.#parts;
    if (isGone) {
      const thing = this.#running.get(uid);
      this.#running.delete(uid);
      if (thing !== undefined) remove(thing);
      return;
    }
    const host = annotationsOf(claim)[CROSSPLANE.externalName];
    if (host === undefined || conditionOf(claim, 'Ready')?.status !== 'True' || this.#started.has(uid)) return;
    this.#started.add(uid);
    clock.after(dice.between(...SWITCHED_ON, 'on', uid), () => this.#switchOn(claim, host));
  }

  #seeHost(host: KubeObject): void {
    const { uid = '', name = '' } = metaOf(host);
    if (stringAt(host.status, 'phase') !== 'Released' || this.#preparing.has(uid)) return;
    this.#preparing.add(uid);
    const { clock, dice } = this.#parts;
    clock.after(dice.between(...PREPARED, 'prepared', name), () => this.#prepare(host));
  }

  #switchOn(claim: KubeObject, host: string): void {
    const { store, put } = this.#parts;
    const { name = '', namespace = '', uid = '' } = metaOf(claim);
    const now = store.find(refOf(claim));
    const object = store.find({ ...HOST, namespace, name: host });
    const wanted = at(now, 'spec', 'forProvider');
    if (now === undefined || metaOf(now).uid !== uid || object === undefined || !isJsonObject(wanted)) return;
    const { name: secret = '', key = '' } = (wanted['userDataSecretRef'] ?? {}) as Readonly<Record<string, string>>;
    const data = store.find({ apiVersion: 'v1', kind: 'Secret', namespace, name: secret });
    const userData = stringAt(data, 'data', key);
    const [first] = (at(object, 'spec', 'addresses') ?? []) as readonly JsonObject[];
    const thing: CloudObject = {
      kind: RUNNING_HOST,
      owner: { name, namespace },
      // A host that is prepared again boots as another machine.
      id: uid,
      arn: host,
      attributes: { ...wanted, ...(userData === undefined ? {} : { userData }) },
      outputs: { address: stringAt(first, 'address') ?? '' },
    };
    this.#running.set(uid, thing);
    put(thing);
  }

  #prepare(host: KubeObject): void {
    const { store } = this.#parts;
    this.#preparing.delete(metaOf(host).uid ?? '');
    const now = store.find(refOf(host));
    if (now === undefined || stringAt(now.status, 'phase') !== 'Released') return;
    const prepared = at(now, 'spec', 'prepared');
    store.update({ ...now, spec: { ...now.spec, prepared: Number(prepared ?? 1) + 1 } }, OWNER);
  }
}
