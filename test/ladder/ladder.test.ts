/**
 * The example of each flavour, step by step: what must exist at each step and, just as important, what must not exist
 * yet. The functions run in process; the cloud, the nodes and Crossplane come from the embedded engine.
 * network → load balancer → certificates → first control-plane machine (init) → the others, one by one (join) → pools →
 * more and fewer machines → another version → a machine that is lost → nothing
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { at, stringAt } from '#lib/api/json.ts';
import { USAGE_API_VERSION } from '#lib/api/words.ts';
import { FLAVOURS } from './flavours.ts';
import { idOf, isTrue, Ladder, nameOf, namesOf, versionOf } from './ladder.ts';

const POOL = 'prod-general';

describe.for(FLAVOURS)('examples/$name, step by step', (flavour) => {
  let ladder: Ladder;
  const actions = (): readonly unknown[] => ladder.controlPlane.map((one) => at(one, 'spec', 'bootstrap', 'action'));

  beforeAll(() => {
    ladder = new Ladder(flavour);
  });

  it('1: infrastructure is desired at once, and nothing that depends on it exists', async () => {
    const { first } = flavour;
    const found = (): number => (first === undefined ? 0 : ladder.list(first.kind, first.apiVersion).length);
    await ladder.until(
      'the first objects',
      () => ladder.list('NodePool').length === 2 && found() >= Math.sign(first?.count ?? 0),
    );
    expect(found()).toBe(first?.count ?? 0);
    // Nothing has to be made where somebody else has made all of it.
    expect([false, first === undefined]).toContain(isTrue(ladder.cluster, 'InfrastructureReady'));
    expect(ladder.list('Machine')).toEqual([]);
    expect(namesOf(ladder.list('NodePool'))).toEqual([POOL, 'prod-memory']);
    expect(ladder.instances).toEqual([]);
  });

  it('2: certificates are stored once, before there is a machine', async () => {
    await ladder.until('certificates', () => {
      const available = isTrue(ladder.cluster, 'CertificatesAvailable');
      expect(available || ladder.list('Machine').length === 0).toBe(true);
      return available;
    });
    expect(ladder.secrets).toEqual(expect.arrayContaining(['prod-ca', 'prod-etcd', 'prod-proxy', 'prod-sa']));
    expect(ladder.instances).toEqual([]);
  });

  it('3: the endpoint is known, the kubeconfig is created, and there is no machine yet', async () => {
    await ladder.until(
      'endpoint',
      () =>
        at(ladder.cluster, 'status', 'controlPlaneEndpoint', 'host') !== undefined &&
        ladder.secrets.includes('prod-kubeconfig'),
    );
    expect(ladder.instances).toEqual([]);
  });

  it('4: infrastructure is ready, the control-plane pool exists, and exactly one machine starts the cluster', async () => {
    await ladder.until('first machine', () => ladder.list('Machine').length > 0);
    expect(isTrue(ladder.cluster, 'InfrastructureReady')).toBe(true);
    expect(actions()).toEqual(['Init']);
    expect(isTrue(ladder.cluster, 'ControlPlaneInitialized')).toBe(false);
  });

  it('5: no worker and no second control-plane machine while the first is not a node', async () => {
    await ladder.until('initialized', () => {
      const initialized = isTrue(ladder.cluster, 'ControlPlaneInitialized');
      expect(initialized || ladder.list('Machine').length === 1).toBe(true);
      return initialized;
    });
    const [first] = ladder.list('Machine');
    expect(at(first, 'status', 'nodeRef', 'name')).toBe(nameOf(first!));
  });

  it('6: the others join one after the other, and the pools come up beside them', async () => {
    await ladder.until('everything', () => {
      const joining = ladder.controlPlane.filter((one) => !isTrue(one, 'Ready'));
      expect(joining.length).toBeLessThanOrEqual(1);
      const all = [...ladder.list('Cluster'), ...ladder.list('NodePool'), ...ladder.list('Machine')];
      return all.every((one) => isTrue(one, 'Ready'));
    });
    expect(actions().filter((action) => action === 'Init')).toHaveLength(1);
    expect(actions()).toHaveLength(3);
    expect(ladder.instances).toHaveLength(8);
    expect(ladder.engine.snapshot().violations).toEqual([]);
  });

  it('7: machines are in all three zones, and first-boot data fits', () => {
    const zones = (role: string) =>
      new Set(
        ladder
          .list('Machine')
          .filter((one) => at(one, 'spec', 'role') === role)
          .map((one) => at(one, 'spec', 'failureDomain')),
      );
    expect(zones('control-plane').size).toBe(3);
    expect(zones('worker').size).toBe(3);
    const sizes = ladder.list('Machine').map((one) => at(one, 'status', 'payload', 'bytes') as number);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(flavour.payload);
  });

  it('8: one more machine is added and taken away again, and no other one is touched', async () => {
    const before = namesOf(ladder.machinesIn(POOL));
    ladder.edit('scale-up');
    await ladder.settles('four machines', () => ladder.machinesIn(POOL).length === 4);
    expect(namesOf(ladder.machinesIn(POOL))).toEqual(expect.arrayContaining([...before]));
    const drained = ladder.engine.snapshot().counters.nodesDrained;
    ladder.scale(POOL, 3);
    await ladder.settles('three machines', () => ladder.machinesIn(POOL).length === 3);
    expect(ladder.engine.snapshot().counters.nodesDrained - drained).toBe(1);
    expect(ladder.instances).toHaveLength(8);
  });

  it('9: a newer version replaces members one by one, and workers keep their machines', async () => {
    const [members, workers] = [namesOf(ladder.controlPlane), ladder.machinesIn(POOL)];
    const ids = new Map(ladder.instances.map((one) => [nameOf(one), idOf(one)]));
    ladder.edit('version');
    let least = members.length;
    await ladder.settles('v1.37.2 everywhere', () => {
      least = Math.min(least, ladder.controlPlane.filter((one) => isTrue(one, 'Ready')).length);
      return ladder.list('Machine').every((one) => versionOf(one) === 'v1.37.2');
    });
    expect(least, 'members that are ready at any time').toBe(3);
    expect(namesOf(ladder.controlPlane).filter((name) => members.includes(name))).toEqual([]);
    const stayed = ladder.machinesIn(POOL).filter((one) => workers.some((old) => nameOf(old) === nameOf(one)));
    // None of them may be unavailable: one new machine serves while the others are updated.
    expect(stayed).toHaveLength(2);
    for (const one of ladder.instances.filter((instance) =>
      stayed.some((machine) => nameOf(machine) === nameOf(instance)),
    ))
      expect(idOf(one)).toBe(ids.get(nameOf(one)));
  });

  it('10: machines that are lost are replaced, a worker and a member of the control plane', async () => {
    for (const victim of [ladder.machinesIn(POOL)[0]!, ladder.controlPlane[0]!]) {
      const name = nameOf(victim);
      const pool = stringAt(victim, 'spec', 'nodePoolRef', 'name') ?? '';
      const others = namesOf(ladder.machinesIn(pool)).filter((one) => one !== name);
      ladder.kill(name);
      await ladder.until(`${name} is replaced`, () => !namesOf(ladder.machinesIn(pool)).includes(name));
      await ladder.settles('as many as before', () => ladder.machinesIn(pool).length === 3);
      expect(namesOf(ladder.machinesIn(pool))).toEqual(expect.arrayContaining(others));
    }
    expect(ladder.engine.snapshot().violations).toEqual([]);
  });

  it('11: a Cluster that is deleted leaves nothing behind, in the cloud and in the API', async () => {
    expect(() => ladder.remove('Cluster'), 'while its pools exist').toThrow('This resource is in-use by');
    ladder.remove('NodePool');
    // Each is a Usage of the Cluster by a pool or by the node of a worker.
    const keepers = () =>
      ladder.list('Usage', USAGE_API_VERSION).filter((one) => at(one, 'spec', 'of', 'kind') === 'Cluster');
    expect(keepers().length).toBeGreaterThan(2);
    await ladder.until('the last worker is drained', () => keepers().length === 0);
    ladder.remove('Cluster');
    const left = () => [...ladder.list('Machine'), ...ladder.managed];
    await ladder.until('nothing', () => ladder.engine.snapshot().counters.cloudObjects === 0 && left().length === 0);
    expect(ladder.secrets).toEqual([]);
    expect(ladder.engine.snapshot().violations).toEqual([]);
  });
});
