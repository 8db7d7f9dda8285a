/** A refused edit changes nothing and stops nothing, whatever is edited beside it. */
import { describe, expect, test } from 'vitest';
import { conditionOf, isCompositeReady } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { type Act, type Claims, claimsAfter, claimsOf, CLUSTER, CONTROL_PLANE, POOL } from './pairs/life.ts';
import { imageId } from './pairs/platform.ts';
import { applyPart, aScene, machinesOf, PARTS } from './pairs/scene.ts';

const imaged = (version: string): JsonObject => ({ machine: { image: imageId('ubuntu-24.04', version) } });
const TYPO = { controlPlane: { machine: { class: 'standart-2' } } };

class World {
  readonly engine: Engine;
  #claims: Claims;

  private constructor(claims: Claims) {
    this.#claims = claims;
    this.engine = aScene(1, claims);
  }

  static async ready(cluster: JsonObject, pool: JsonObject): Promise<World> {
    const world = new World(claimsOf({ seed: 1, cluster, pool, rounds: [] }));
    await world.engine.runUntil(
      () => isCompositeReady(world.engine.get(POOL)) && isCompositeReady(world.engine.get(CLUSTER)),
      {
        limitSeconds: 3600,
      },
    );
    return world;
  }

  edit(act: Omit<Act, 'after'>): void {
    this.#claims = claimsAfter(this.#claims, { after: 0, ...act });
    for (const part of PARTS) applyPart(this.engine, part, this.#claims[part]);
  }

  async pass(seconds: number): Promise<void> {
    await this.engine.runUntil(() => false, { limitSeconds: this.engine.seconds + seconds });
  }

  names(): readonly string[] {
    return [CONTROL_PLANE, POOL].flatMap(({ name }) => machinesOf(this.engine, name).map(nameOf)).toSorted();
  }

  isRefused(ref: typeof CLUSTER): boolean {
    return conditionOf(this.engine.get(ref), 'ClaimAccepted')?.status === 'False';
  }
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

describe('a refused edit', () => {
  test('of a pool, beside a version of its Cluster, holds its machines until it is mended', async () => {
    const world = await World.ready(ofControlPlane('v1.36.4'), imaged('v1.36.4'));
    const before = machinesOf(world.engine, POOL.name).map(nameOf);
    world.edit({
      cluster: { version: 'v1.37.4', ...ofControlPlane('v1.37.4') },
      pool: { machine: { image: 'ubuntu-27.04' } },
    });
    await world.pass(1500);
    expect(world.isRefused(POOL)).toBe(true);
    expect(machinesOf(world.engine, POOL.name).map(nameOf), 'workers').toEqual(before);
    world.edit({ pool: imaged('v1.37.4') });
    await world.pass(1500);
    const after = machinesOf(world.engine, POOL.name);
    expect(after.map(({ spec }) => spec?.['version'])).toEqual(['v1.37.4', 'v1.37.4']);
  });

  test('of a Cluster to another version holds an image of its pool, which may be for it', async () => {
    const world = await World.ready(ofControlPlane('v1.36.4'), { replicas: 1, ...imaged('v1.36.4') });
    const before = world.names();
    world.edit({ cluster: { version: 'v1.37.4', ...TYPO }, pool: imaged('v1.37.4') });
    await world.pass(900);
    expect(world.names()).toEqual(before);
    world.edit({
      cluster: { controlPlane: { machine: { class: 'standard-2', image: imageId('ubuntu-24.04', 'v1.37.4') } } },
    });
    await world.pass(1500);
    const versions = [CONTROL_PLANE, POOL].flatMap(({ name }) =>
      machinesOf(world.engine, name).map(({ spec }) => spec?.['version']),
    );
    expect(versions).toEqual(['v1.37.4', 'v1.37.4']);
  });

  test('of a Cluster does not hold up an edit of its pool', async () => {
    const world = await World.ready({}, { replicas: 1 });
    const before = world.names();
    world.edit({ cluster: TYPO });
    await world.pass(300);
    world.edit({ pool: { machine: { image: 'ubuntu-26.04' } } });
    await world.pass(900);
    expect(world.isRefused(CLUSTER)).toBe(true);
    const [worker] = machinesOf(world.engine, POOL.name);
    expect(worker?.spec?.['machine']).toMatchObject({ image: 'ubuntu-26.04' });
    const kept = world.names().filter((name) => before.includes(name));
    expect(kept).toEqual(machinesOf(world.engine, CONTROL_PLANE.name).map(nameOf));
  });

  test.for([
    { name: 'a Cluster', ref: CLUSTER, part: 'cluster', begins: { version: 'v1.37.4' }, refused: TYPO },
    {
      name: 'a pool',
      ref: POOL,
      part: 'pool',
      begins: { machine: { image: 'ubuntu-26.04' } },
      refused: { machine: { class: 'standart-2' } },
    },
  ] as const)('of $name that pauses as well stops its roll-out', async ({ ref, part, begins, refused }) => {
    const world = await World.ready({ controlPlane: { replicas: 3 } }, { replicas: 3 });
    world.edit({ [part]: begins });
    await world.pass(60);
    world.edit({ [part]: { ...refused, paused: true } });
    await world.pass(300);
    const stopped = world.names();
    await world.pass(1500);
    expect(world.isRefused(ref)).toBe(true);
    expect(world.names()).toEqual(stopped);
  });
});

function ofControlPlane(version: string): JsonObject {
  return { controlPlane: imaged(version) };
}
