/** The example of a flavour on its simulation, and what its steps ask about it. */
import { join } from 'node:path';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API_VERSION, CROSSPLANE, LABEL } from '#lib/api/words.ts';
import { writtenKinds } from '#simulator/cloud-stand-in.ts';
import type { Engine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { exampleClaims, exampleEngine } from '../support/example.ts';
import type { Flavour } from './flavours.ts';

const NAMESPACE = 'team-a';

/** Seconds; longer than the minute between two calls of a settled pool. */
const SETTLED = 120;

export class Ladder {
  readonly engine: Engine;
  readonly #flavour: Flavour;

  constructor(flavour: Flavour) {
    this.#flavour = flavour;
    this.engine = exampleEngine({}, flavour.name);
  }

  list(kind: string, apiVersion = API_VERSION): readonly KubeObject[] {
    return this.engine.list({ apiVersion, kind });
  }

  get cluster(): KubeObject {
    return this.list('Cluster')[0]!;
  }

  get secrets(): readonly string[] {
    return namesOf(this.list('Secret', 'v1'));
  }

  /** What the flavour makes of Machines. */
  get instances(): readonly KubeObject[] {
    const { kind, apiVersion } = this.#flavour.machine;
    return this.list(kind, apiVersion);
  }

  /** What providers manage, in any cloud. */
  get managed(): readonly KubeObject[] {
    return writtenKinds(SIMULATED_CLOUDS)
      .filter(({ apiVersion, kind }) => apiVersion !== 'v1' && !kind.includes('ProviderConfig'))
      .flatMap(({ apiVersion, kind }) => this.list(kind, apiVersion));
  }

  machinesIn(pool: string): readonly KubeObject[] {
    return this.list('Machine').filter(({ metadata }) => metadata?.labels?.[LABEL.nodePool] === pool);
  }

  get controlPlane(): readonly KubeObject[] {
    return this.list('Machine').filter((one) => at(one, 'spec', 'role') === 'control-plane');
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    const { reached } = await this.engine.runUntil(holds, { limitSeconds: this.engine.seconds + 7200 });
    if (!reached) throw new Error(`it does not come to this in two hours: ${what}`);
  }

  /** Everything is Ready and up to date, nothing is being deleted, and that for some time. */
  async settles(what: string, holds: () => boolean = () => true): Promise<void> {
    let since = this.engine.seconds;
    await this.until(what, () => {
      if (!this.#isAtRest || !holds()) since = this.engine.seconds;
      return this.engine.seconds > since + SETTLED;
    });
  }

  get #isAtRest(): boolean {
    const going = this.list('Machine').some(({ metadata }) => metadata?.deletionTimestamp !== undefined);
    return allReady(this.engine) && !going && this.list('NodePool').every((pool) => isTrue(pool, 'MachinesUpToDate'));
  }

  /** Applies a file of edits/. */
  edit(name: string): void {
    const file = join(ROOT, 'examples', this.#flavour.name, `edits/${name}.yaml`);
    for (const object of readObjects([file])) this.engine.apply(object);
  }

  /** As `kubectl scale` does. */
  scale(pool: string, replicas: number): void {
    const claim = exampleClaims(this.#flavour.name).find(
      ({ kind, metadata }) => kind === 'NodePool' && metadata?.name === pool,
    )!;
    this.engine.apply({ ...claim, spec: { ...claim.spec, replicas } });
  }

  /** The machine behind a Machine goes away, and nobody is told. */
  kill(machine: string): void {
    this.engine.terminate({ ...this.#flavour.machine, namespace: NAMESPACE, name: machine });
  }

  /** As a person deletes claims of a kind. */
  remove(kind: string): void {
    for (const object of this.list(kind))
      if (object.metadata?.['ownerReferences'] === undefined)
        this.engine.delete({ apiVersion: API_VERSION, kind, namespace: NAMESPACE, name: nameOf(object) });
  }
}

export const nameOf = ({ metadata }: KubeObject): string => metadata?.name ?? '';
export const namesOf = (objects: readonly KubeObject[]): readonly string[] => objects.map(nameOf);
export const isTrue = (object: KubeObject | undefined, type: string): boolean =>
  conditionOf(object, type)?.status === 'True';
export const idOf = ({ metadata }: KubeObject): string => metadata?.annotations?.[CROSSPLANE.externalName] ?? '';
export const versionOf = (machine: KubeObject): string => stringAt(machine, 'status', 'version') ?? '';
