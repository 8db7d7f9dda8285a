/** A cloud that refuses a field from some release on refuses new values: what a cluster or a pool has goes on. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SUPPORT } from '#clouds/support.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { refused } from '#lib/api/support/support.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aClaim, anInput, byKind, call, objects, observe, settled } from '../../functions/cluster/cluster.fixture.ts';
import { run } from '../../functions/nodepool/fn.ts';
import { grown, HOUR, after, request, slots } from '../../functions/nodepool/pool.fixture.ts';
import { aCluster, aNodePool } from '../support/claims.ts';
import { replyOf } from '../support/function-laws.ts';

/** The column of a later release. Each test file has a process of its own. */
const fields = SUPPORT['aws']!.fields as Record<string, unknown>;
const before = { ...fields };
beforeEach(() => {
  for (const row of ['machine.rootDisk.type', 'controlPlane.allowedCIDRs', 'network.dnsDomain', 'machine.zones'])
    fields[row] = refused('none in this release');
});
afterEach(() => void Object.assign(fields, before));

describe('a NodePool', () => {
  const machine = { class: 'standard-4', rootDisk: { type: 'gp2' } };
  const made = async (): Promise<readonly KubeObject[]> =>
    (await grown(2)).map((one) => ({
      ...one,
      spec: {
        ...one.spec,
        machine: { ...(one.spec?.['machine'] as JsonObject), rootDisk: { sizeGiB: 40, type: 'gp2', encrypted: true } },
      },
    }));
  const look = (machines: readonly KubeObject[], spec: JsonObject): Promise<ReplyData> =>
    replyOf(run, request({ pool: aNodePool({ spec: { replicas: 2, machine, ...spec } }), machines }), after(HOUR));

  test('whose machines have the value goes on, and gets labels', async () => {
    const reply = await look(await made(), { labels: { team: 'a' } });
    expect(slots(reply)).toHaveLength(2);
    const labels = [...reply.resources.values()].map(({ resource }) => resource.spec?.['labels']);
    expect(labels).toContainEqual({ team: 'a' });
  });

  test('gets no machine that would be refused', async () => {
    expect(slots(await look(await made(), { replicas: 3 }))).toHaveLength(2);
  });

  test('that asks for another value is refused', async () => {
    const other = { machine: { ...machine, rootDisk: { type: 'gp3' } } };
    await expect(look(await made(), other)).rejects.toThrow(
      'spec.machine.rootDisk.type: "gp3" is not accepted; accepted: none in this release',
    );
  });

  test('is refused for a second field that no machine has, though the first one is there', async () => {
    await expect(look(await made(), { machine: { ...machine, zones: ['eu-west-1c'] } })).rejects.toThrow(
      'spec.machine.zones: a list of 1 item is not accepted',
    );
  });

  test('whose status and machines are lost counts as new: it is refused, and goes on when its machines are found', async () => {
    await expect(look([], {}), 'nothing is composed, so nothing is deleted').rejects.toThrow('"gp2" is not accepted');
    const machines = await made();
    const found = await look(machines, { labels: { team: 'a' } });
    const names = [...found.resources.values()].map(({ resource }) => resource.metadata?.name);
    expect(names).toEqual(expect.arrayContaining(machines.map(({ metadata }) => metadata?.name)));
    expect(slots(found)).toHaveLength(machines.length);
  });

  test('that is new is refused', async () => {
    await expect(look([], {})).rejects.toThrow('spec.machine.rootDisk.type: "gp2" is not accepted');
  });
});

describe('the pool of a control plane', () => {
  const VERSION = 'v1.36.0';
  const talos = { bootstrap: { provider: 'talos', config: {} }, provisioning: { format: 'talos' } };
  const machine = { class: 'standard-4' };
  const look = async (cluster: JsonObject, spec: JsonObject): Promise<ReplyData> => {
    const machines = (await grown(2)).map((one) => ({
      ...one,
      spec: { ...one.spec, role: 'control-plane', version: VERSION, ...talos, bootstrap: { provider: 'talos' } },
    }));
    const pool = aNodePool({ spec: { role: 'control-plane', replicas: 2, machine, version: VERSION, ...spec } });
    const ofCluster = aCluster({ spec: { version: VERSION, ...talos, ...cluster } });
    return replyOf(run, request({ pool, cluster: ofCluster, machines }), after(HOUR));
  };

  test.for([
    ['a version that its release of Talos does not run', { version: 'v1.37.0' }, 'v1.31 to v1.36 with Talos 1.13'],
    [
      'settings that Talos refuses',
      { bootstrap: { provider: 'talos', config: { kubelet: { extraArgs: { 'provider-id': 'a' } } } } },
      'spec.bootstrap.config.kubelet.extraArgs.provider-id of Cluster "team-a/prod": "a" is not accepted',
    ],
    ['a format that cannot start Talos', { provisioning: { format: 'cloud-init' } }, '"cloud-init" cannot start talos'],
  ] as const)('whose Cluster then asks for %s keeps its machines, gets labels and no other machine', async (given) => {
    const [, cluster, line] = given;
    const reply = await look(cluster, { replicas: 3, labels: { team: 'a' } });
    expect(slots(reply)).toHaveLength(2);
    const labels = [...reply.resources.values()].map(({ resource }) => resource.spec?.['labels']);
    expect(labels).toContainEqual({ team: 'a' });
    expect(JSON.stringify(reply.conditions)).toContain(JSON.stringify(line).slice(1, -1));
  });
});

describe('a Cluster', () => {
  const controlPlane = {
    replicas: 3,
    machine: { class: 'standard-2', rootDisk: { type: 'gp2' } },
    allowedCIDRs: ['10.1.0.0/16'],
  };
  const spec = { controlPlane, network: { dnsDomain: 'example.local' } };
  const lived = async () => {
    const turned = { ...fields };
    Object.assign(fields, before);
    const { claim, reply } = await settled(aClaim(spec), anInput());
    Object.assign(fields, turned);
    return { claim, reply };
  };
  const edited = async (edit: JsonObject): Promise<ReplyData> => {
    const { claim, reply } = await lived();
    const changed = { ...claim, spec: { ...claim.spec, controlPlane: { ...controlPlane, ...edit } } };
    return call({ claim: changed, observed: observe(reply) });
  };

  test('that has the values goes on', async () => {
    const { reply } = await lived();
    expect(objects(await edited({}))).toEqual(objects(reply));
  });

  test('whose control plane has a type of disk that the release does not make any more goes on', async () => {
    Object.assign(fields, before);
    const { claim, reply } = await settled(aClaim(spec), anInput());
    const older = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('"gp2"', '"io2"')) as T;
    const next = await call({ claim: older(claim), observed: older(observe(reply)) });
    expect(objects(next)).toEqual(older(objects(reply)));
    expect(JSON.stringify(objects(next))).toContain('"io2"');
  });

  test.for([
    [{ machine: { class: 'standard-2', rootDisk: { type: 'gp3' } } }, 'machine.rootDisk.type: "gp3" is not accepted'],
    [{ allowedCIDRs: ['10.2.0.0/16'] }, 'allowedCIDRs: a list of 1 item is not accepted'],
  ] as const)('that asks for another value is refused: %j', async ([edit, line]) => {
    await expect(edited(edit)).rejects.toThrow(`spec.controlPlane.${line}`);
  });

  const NEW_ALONE: Readonly<Record<string, readonly [spec: JsonObject, line: string, input?: JsonObject]>> = {
    'a name of the API that is a URL': [
      { bootstrap: { provider: 'kubeadm', config: { certSANs: ['https://x'] } } },
      'spec.bootstrap.config.certSANs[0]: "https://x"',
    ],
    'settings that kubeadm refuses': [
      { bootstrap: { provider: 'kubeadm', config: { kubelet: { extraArgs: { 'node-labels': 'a=b' } } } } },
      'extraArgs.node-labels: "a=b"',
    ],
    'a provider that only joins workers': [
      { bootstrap: { provider: 'nodeadm' }, provisioning: { format: 'nodeadm' } },
      'spec.bootstrap.provider: "nodeadm"',
    ],
    'another provider that only joins workers': [
      { bootstrap: { provider: 'bottlerocket' }, provisioning: { format: 'bottlerocket' } },
      'spec.bootstrap.provider: "bottlerocket"',
    ],
    'a region that nobody maps': [{ region: 'mars' }, 'spec.region: "mars"'],
    'no zone': [
      { controlPlane: { replicas: 3, machine: { class: 'standard-2', zones: [] } } },
      'spec.controlPlane.machine.zones',
    ],
    'a block of Services that is too small': [{ network: { services: '10.96.0.0/30' } }, 'spec.network.services'],
    'a time server that is a URL': [{ provisioning: { ntp: { servers: ['https://x'] } } }, 'ntp.servers[0]'],
    'a time zone that is none': [{ provisioning: { timezone: 'Europa/Zurich' } }, 'spec.provisioning.timezone'],
    'a format in clear': [
      { bootstrap: { provider: 'talos' }, provisioning: { format: 'talos' } },
      'no secret of the cloud can deliver "talos"',
      { allowInClear: [] },
    ],
  };

  test.for(Object.entries(NEW_ALONE))('that exists with %s goes on, and a new one is refused', async (given) => {
    const [, [bad, line, of = {}]] = given;
    Object.assign(fields, before);
    const input = anInput(of);
    await expect(call({ claim: aClaim(bad), input })).rejects.toThrow(line);
    const { claim, reply } = await settled(aClaim(), input);
    const observed = observe(reply);
    const older = { ...claim, spec: { ...claim.spec, ...bad } };
    const next = await call({ claim: older, input, observed });
    expect(objects(next).filter(byKind('NodePool', 'VPC', 'Subnet'))).toHaveLength(
      objects(reply).filter(byKind('NodePool', 'VPC', 'Subnet')).length,
    );
    const { 'control-plane': _pool, ...between } = observed;
    const soon = await call({ claim: older, input, observed: between });
    expect([...soon.resources.keys()], 'it was accepted when it was new').toContain('control-plane');
  });

  const talos = { version: 'v1.36.0', bootstrap: { provider: 'talos' }, provisioning: { format: 'talos' } };

  test.for([
    ['v1.37.0', 'v1.31 to v1.36 with Talos 1.13'],
    ['v1.38.0', 'v1.31 to v1.37 with talos'],
  ] as const)(
    'whose system does not run version %s is told so, whether it exists or is new',
    async ([version, runs]) => {
      const { claim, reply } = await settled(aClaim(talos), anInput());
      const line = `spec.version: "${version}" is not accepted; accepted: ${runs}`;
      const edit = { ...claim, spec: { ...claim.spec, version } };
      await expect(call({ claim: edit, observed: observe(reply) })).rejects.toThrow(line);
      await expect(call({ claim: aClaim({ ...talos, version }) })).rejects.toThrow(line);
    },
  );

  test('that has a version its system does not run goes on', async () => {
    const { claim, reply } = await settled(aClaim(talos), anInput());
    const older = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('v1.36.0', 'v1.37.0')) as T;
    const next = await call({ claim: older(claim), observed: older(observe(reply)) });
    expect([...next.resources.keys()]).toEqual([...reply.resources.keys()]);
    expect(JSON.stringify(objects(next))).not.toContain('v1.36.0');
  });

  test('that is new is refused', async () => {
    await expect(call({ claim: aClaim(spec) })).rejects.toThrow('spec.network.dnsDomain: "example.local"');
  });
});
