/**
 * Hosts of somebody else, as far as Slipway meets them. provider-node gives a Host to a claim. Its owner then starts it
 * with the first-boot data, leads the endpoint to it, and prepares it again when its machine is gone.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE, NODE_API_VERSION } from '#lib/api/words.ts';
import { CLAIM_FINALIZER, type HostWrite, hostWrites } from '#lib/node/hosts.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { CloudModel, MachineFacts, OwnProviderParts } from '#simulator/cloud/machine.ts';
import { metaOf, withAnnotations, withFinalizer, withoutFinalizer } from '#simulator/store/object.ts';
import { refOf } from '#simulator/store/ref.ts';

const HOST = { apiVersion: NODE_API_VERSION, kind: 'Host' } as const;
const CLAIM = { apiVersion: NODE_API_VERSION, kind: 'HostClaim' } as const;
const PROVIDER = 'provider-node';
const OWNER = 'owner-of-hosts';

/** Seconds. */
const LAG = 0.5;
const SWITCHED_ON = [20, 60] as const;
const PREPARED = [60, 120] as const;

/** A host that runs a machine. No provider like others manages it. */
const RUNNING_HOST: CloudKind = {
  ...CLAIM,
  title: 'Host',
  arn: (id) => id,
  seconds: { create: [1, 1], update: [1, 1], delete: [1, 1] },
  forceNew: [],
  references: {},
};

export const EXISTING: CloudModel = {
  name: 'existing',
  kinds: [],
  machine: machineOf,
  behind,
  start: (parts) => void new Owner(parts),
  readSecret: () => ({ refused: 'hosts have no store for secrets' }),
  deletedSecret: () => [],
};

class Owner {
  readonly #parts: OwnProviderParts;
  readonly #due = new Set<string>();
  /** By uid of the claim. */
  readonly #running = new Map<string, CloudObject>();

  constructor(parts: OwnProviderParts) {
    this.#parts = parts;
    parts.store.onChange(({ object }) => {
      if (object.apiVersion !== NODE_API_VERSION || (object.kind !== HOST.kind && object.kind !== CLAIM.kind)) return;
      const { namespace = '' } = metaOf(object);
      if (this.#due.has(namespace)) return;
      this.#due.add(namespace);
      parts.clock.after(LAG, () => this.#look(namespace));
    });
  }

  #look(namespace: string): void {
    const { store, clock } = this.#parts;
    this.#due.delete(namespace);
    const [hosts = [], claims = []] = [HOST, CLAIM].map((kind) => store.list({ ...kind, namespace }));
    for (const write of hostWrites({ hosts, claims }, clock.now.getTime())) this.#perform(write);
  }

  #perform(write: HostWrite): void {
    const { store, clock, dice } = this.#parts;
    if (write.write === 'Status') {
      const now = store.get(refOf(write.object));
      store.updateStatus({ ...now, status: write.object.status ?? {} }, PROVIDER);
      if (stringAt(write.object.status, 'phase') === 'Released')
        clock.after(dice.between(...PREPARED, 'prepared', metaOf(now).name ?? ''), () => this.#prepare(now));
      return;
    }
    const { uid = '' } = metaOf(write.claim);
    if (write.write === 'Release') {
      const thing = this.#running.get(uid);
      this.#running.delete(uid);
      if (thing !== undefined) this.#parts.remove(thing);
      store.update(withoutFinalizer(store.get(refOf(write.claim)), CLAIM_FINALIZER), PROVIDER);
      return;
    }
    const held = withAnnotations(withFinalizer(write.claim, CLAIM_FINALIZER), {
      [CROSSPLANE.externalName]: write.host,
    });
    store.update(held, PROVIDER);
    clock.after(dice.between(...SWITCHED_ON, 'on', uid), () => this.#switchOn(held, write.host));
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
    const now = store.find(refOf(host));
    if (now === undefined || stringAt(now.status, 'phase') !== 'Released') return;
    const prepared = at(now, 'spec', 'prepared');
    store.update({ ...now, spec: { ...now.spec, prepared: Number(prepared ?? 1) + 1 } }, OWNER);
  }
}

function machineOf({ kind, id, owner, attributes, outputs }: CloudObject): MachineFacts | undefined {
  if (kind !== RUNNING_HOST) return undefined;
  return {
    id,
    owner,
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    zone: stringAt(attributes, 'failureDomain') ?? '',
    address: stringAt(outputs, 'address') ?? '',
    running: true,
    userData: stringAt(attributes, 'userData'),
    image: stringAt(attributes, 'image'),
    providerID: '',
  };
}

/** Hosts whose claim has this endpoint; undefined: nobody has, so the name is of another cloud. */
function behind(host: string, port: number, things: readonly CloudObject[]): readonly string[] | undefined {
  const led = things.filter(({ kind, attributes }) => {
    const targets = attributes['loadBalancerTargets'];
    const list = Array.isArray(targets) ? (targets as readonly JsonObject[]) : [];
    return kind === RUNNING_HOST && list.some(({ id }) => id === `${host}:${port}`);
  });
  return led.length === 0 ? undefined : led.map(({ id }) => id).toSorted();
}
