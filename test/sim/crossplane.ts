/**
 * What Crossplane does with a response, in its order: it deletes what is observed and not desired, refers to what is
 * desired, applies that, and writes the status. An object that is neither observed nor desired is removed from the
 * references: it is not observed again, nor deleted, until it is desired by its name.
 */
import { at, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';
import { newLife, type Life, uidOf } from './machines.ts';
import { nameOf, type View } from './observation.ts';
import type { Answer, Release } from './releases.ts';

/** Where it may stop. */
export const CUTS = [
  'before it did anything',
  'after the deletions',
  'before it applied anything',
  'half-way through',
  'before the status',
] as const;
export type Cut = (typeof CUTS)[number];

/** What one reconcile did. */
export interface StepResult {
  readonly view: View;
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  /** Machines that got a new update request. */
  readonly ordered: readonly Ordered[];
  readonly patched: readonly string[];
  /** The machines before it, including those being deleted. */
  readonly before: ReadonlyMap<string, Life>;
  readonly reply: Answer;
  readonly release: Release;
}

export interface Ordered {
  readonly name: string;
  readonly id: string;
  readonly disruptive: boolean;
}

export interface Hands {
  readonly tick: number;
  readonly chance: Chance;
  readonly faults: Faults;
  readonly say: (text: string) => void;
}

export class Crossplane {
  readonly lives = new Map<string, Life>();
  /** The references of the pool: names of machines, and the API version in which each is read. */
  refs = new Map<string, string>();
  /** Every machine that ever existed. */
  readonly names = new Set<string>();
  /** Machines that were created under the name of an earlier one. */
  readonly twice: string[] = [];

  copyTo(copy: Crossplane): void {
    for (const [name, life] of this.lives) copy.lives.set(name, { ...life });
    for (const name of this.names) copy.names.add(name);
    copy.refs = new Map(this.refs);
  }

  apply(view: View, reply: Answer, cut: Cut | undefined, hands: Hands): Omit<StepResult, 'release'> {
    const before = new Map([...this.lives].map(([name, life]) => [name, { ...life }]));
    const desired = new Map([...reply.resources].map(([key, { resource }]) => [key, resource]));
    const nothing = { view, before, reply, created: [], deleted: [], ordered: [], patched: [] };
    if (cut === 'before it did anything') return nothing;
    const deleted = view.machines.map(nameOf).filter((name) => !desired.has(name) && this.#delete(name, hands));
    if (cut === 'after the deletions') return { ...nothing, deleted };
    this.refs = new Map([...desired.values()].map((object) => [nameOf(object), object.apiVersion]));
    if (cut === 'before it applied anything') return { ...nothing, deleted };
    const objects = [...desired.values()];
    const done = cut === 'half-way through' ? objects.slice(0, Math.ceil(objects.length / 2)) : objects;
    const applied = done.map((object) => this.#put(object, hands));
    const named = (kind: Applied['kind']): readonly string[] =>
      applied.flatMap((one) => (one.kind === kind ? [one.name] : []));
    const ordered = applied.flatMap(({ order }) => (order === undefined ? [] : [order]));
    return { ...nothing, deleted, created: named('created'), patched: named('patched'), ordered };
  }

  #delete(name: string, { chance, say }: Hands): boolean {
    const life = this.lives.get(name);
    if (life === undefined || life.going !== undefined) return false;
    life.going = chance.between(1, 3);
    say(`${name} is deleted`);
    return true;
  }

  #put(object: KubeObject, hands: Hands): Applied {
    const name = nameOf(object);
    const life = this.lives.get(name);
    const uid = stringAt(object, 'metadata', 'uid');
    if (uid !== undefined && (life === undefined || uid !== uidOf(name, life))) return { name, kind: 'refused' };
    if (life === undefined) return this.#create(name, object, hands);
    const own: KubeObject = { ...object, apiVersion: life.object.apiVersion };
    const was = life.object;
    life.object = own;
    if (sameJson(was.spec, own.spec)) return { name, kind: 'kept' };
    const order = orderOf(name, own);
    const isNew = order !== undefined && order.id !== stringAt(was, 'spec', 'update', 'id');
    hands.say(`${name} ${isNew ? 'begins its update' : 'is patched'}`);
    return isNew ? { name, kind: 'ordered', order } : { name, kind: 'patched' };
  }

  #create(name: string, object: KubeObject, { tick, chance, faults, say }: Hands): Applied {
    if (this.names.has(name)) this.twice.push(name);
    this.names.add(name);
    this.lives.set(name, newLife(object, tick, chance, faults));
    say(`${name} is created`);
    return { name, kind: 'created' };
  }
}

interface Applied {
  readonly name: string;
  readonly kind: 'created' | 'patched' | 'ordered' | 'kept' | 'refused';
  readonly order?: Ordered;
}

function orderOf(name: string, object: KubeObject): Ordered | undefined {
  const id = stringAt(object, 'spec', 'update', 'id');
  if (id === undefined) return undefined;
  return { name, id, disruptive: at(object, 'spec', 'update', 'disruptive') === true };
}
