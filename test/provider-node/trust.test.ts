/**
 * A kubelet may write most of its own Node. Whatever decisions read of a Node is listed here with who is believed in it
 * and why, and what a kubelet writes changes nothing of what is done to its Node or for it.
 */
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { decide } from '#lib/node/decide.ts';
import { FINALIZER } from '#lib/node/leaving.ts';
import type { NodeSituation } from '#lib/node/situation.ts';
import { usageOf } from '#lib/node/config.ts';
import { paperPlayer } from './paper-player.ts';
import { anUpdate, BUSY, CONFIG, ETCD, MEMBER, nodeObject, workloadNode } from './scene.ts';

/** By path: who writes it, or what follows from a lie. Nothing else of a Node may be read. */
const BELIEVED: Readonly<Record<string, string>> = {
  'metadata.name': 'the API server: the certificate of a kubelet names its Node',
  'metadata.uid': 'the API server',
  'spec.providerID': 'its kubelet: counts only together with a name of the machine, or the uid that was found before',
  'metadata.labels.*': 'its kubelet, but for restricted ones: compared with what is to be set, and set again',
  'metadata.annotations.*': 'its kubelet: compared with what is to be set, and set again',
  'metadata.labels.k8sd.io/role': 'its kubelet: at most its own update fails, which is said',
  'spec.taints.[].key': 'controllers',
  'spec.taints.[].value': 'controllers',
  'spec.taints.[].effect': 'controllers',
  'spec.unschedulable': 'its kubelet, too: it is cordoned again, and nobody but this object takes its cordon away',
  'status.conditions.[].type': 'its kubelet: health is its own word, whoever reads it',
  'status.conditions.[].status': 'its kubelet: one that calls itself unreachable has its own pods ended faster',
  'status.conditions.[].lastTransitionTime': 'its kubelet: only told',
  'status.conditions.[].reason': 'its kubelet: only told',
  'status.conditions.[].message': 'its kubelet: only told',
  'status.nodeInfo.kubeletVersion': 'its kubelet: at most its own update passes for done',
  'status.nodeInfo.osImage': 'its kubelet: at most its own update fails, which is said',
  'status.nodeInfo.operatingSystem': 'its kubelet: at most its own update fails, which is said',
  'status.nodeInfo.containerRuntimeVersion': 'its kubelet: only told',
  'status.addresses.[].type': 'its kubelet: only told',
  'status.addresses.[].address': 'its kubelet: only told; certificates are for what the cloud tells',
};

describe('what is read of a Node', () => {
  test('is listed, with who is believed in it', () => {
    const read = new Set<string>();
    for (const situation of SITUATIONS) walk(situation, read);
    const leaves = [...read].filter((path) => ![...read].some((other) => other.startsWith(`${path}.`)));
    expect(leaves.filter((path) => BELIEVED[path] === undefined && BELIEVED[general(path)] === undefined)).toEqual([]);
    const used = new Set(leaves.flatMap((path) => [path, general(path)]));
    expect(Object.keys(BELIEVED).filter((path) => !used.has(path))).toEqual([]);
  });

  test.for(Array.from({ length: 60 }, (_none, seed) => seed + 1))(
    'changes nothing of what is done to it or for it, whatever its kubelet writes (seed %i)',
    async (seed) => {
      const [plain, lying] = [await life(() => undefined), await life(liesOf(seed))];
      expect(lying).toEqual(plain);
    },
  );
});

/** Everything that happens to a Node, and how it is marked before it goes. */
async function life(lie: (write: (fields: Lie) => void) => void): Promise<readonly unknown[]> {
  const spec = { ...MEMBER, labels: { team: 'a' }, taints: [{ key: 'ours', effect: 'NoSchedule' }] };
  const stage = await paperPlayer().begin({ ...BUSY, scripts: ['sysctls'], etcd: ETCD, spec });
  const told = (): void => lie((fields) => stage.node() !== undefined && stage.change(fields));
  const states: unknown[] = [];
  await stage.pass(30);
  for (const change of [{}, { labels: { tier: 'b', team: null } }, { update: anUpdate({ disruptive: true }) }]) {
    told();
    stage.edit(change);
    await stage.pass(120);
    const { metadata, spec: seen } = stage.node() ?? {};
    states.push([metadata?.labels?.['team'], metadata?.labels?.['tier'], seen?.['taints'], seen?.['unschedulable']]);
  }
  told();
  stage.delete();
  told();
  await stage.pass(600);
  return [...states, ...stage.events, stage.object(), stage.node()];
}

type Lie = { labels?: Record<string, string>; annotations?: Record<string, string> };

/** A small generator of numbers, so that a failure can be repeated by its seed. */
function liesOf(seed: number): (write: (fields: Lie) => void) => void {
  let state = seed * 2_654_435_761;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  return (write) => {
    const note = {
      by: pick(['team-a/another', 'team-a/general-0']),
      labels: ['team', 'tier'],
      taints: ['ours:NoSchedule'],
    };
    const keys = ['owned', 'left-store', 'marks', 'member', 'managed-by', 'drained'];
    const values = [JSON.stringify({ ...note, cordoned: next(2) === 0 }), 'true', '{', ''];
    write({
      annotations: Object.fromEntries(
        keys.filter(() => next(2) === 0).map((key) => [`node.slipway.dev/${key}`, pick(values)]),
      ),
      labels: { [pick(['node.slipway.dev/skip', 'cluster.x-k8s.io/drain', 'theirs'])]: pick(['skip', 'true']) },
    });
  };
}

/** Keys of labels and annotations are as many as there are objects. */
function general(path: string): string {
  return path.replace(/^(metadata\.(?:labels|annotations))\..*$/, '$1.*');
}

/** Of lists, and what JSON asks for. */
const NO_FIELD: ReadonlySet<string> = new Set(['length', 'toJSON']);

/** The Node reports every value that is read of it. */
function recorded<Value>(value: Value, path: string, read: Set<string>): Value {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key, receiver) {
      const found: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || typeof found === 'function' || NO_FIELD.has(key)) return found;
      const place = `${path}${path === '' ? '' : '.'}${Array.isArray(target) ? '[]' : key}`;
      read.add(place);
      return recorded(found, place, read);
    },
  });
}

/** Takes the actions of a look as far as they need no cluster. */
function walk(begin: NodeSituation, read: Set<string>): void {
  const nodes = (begin.workload as { readonly nodes: readonly KubeObject[] }).nodes;
  let situation = { ...begin, workload: { nodes: nodes.map((node) => recorded(node, '', read)) } } as NodeSituation;
  for (let actions = 0; actions < 20; actions += 1) {
    const decision = decide(situation);
    if ('end' in decision) return void JSON.stringify(decision.end);
    const { next } = decision;
    if (next.do !== 'Look') return void JSON.stringify(next);
    situation = Object.assign({}, situation, SEEN[next.at]);
  }
}

const SEEN: Readonly<Record<string, Partial<NodeSituation>>> = {
  Pods: { pods: { items: [], daemonSets: new Set() } },
  Volumes: { volumes: [] },
  Etcd: { etcd: { members: ETCD } },
  Certificates: { certificates: { requests: [] } },
  Run: { run: { state: 'Succeeded' } },
  Scripts: { scripts: new Set(['sysctls']) },
};

const SPEC = {
  ...MEMBER,
  node: { name: 'general-0', providerID: 'cloud:///general-0' },
  servingCertificates: { approve: true, names: ['general-0'], addresses: [] },
};
const MARKS = { labels: { team: 'a' }, annotations: { note: 'b' }, taints: [{ key: 'ours', effect: 'NoSchedule' }] };
const CHANGED = { labels: ['gone'], annotations: ['gone'], taints: [], cordoned: true };

const SITUATIONS: readonly NodeSituation[] = [
  situationOf(SPEC),
  situationOf({ ...SPEC, ...MARKS }),
  situationOf(SPEC, { status: { nodeRef: { name: 'general-0', uid: 'node-1' }, marks: CHANGED } }),
  situationOf({ ...SPEC, update: anUpdate({ version: 'v1.36.0' }) }, { phase: 'Running' }),
  situationOf(SPEC, { isDeleted: true }),
  situationOf(SPEC, { isDeleted: true, ready: 'Unknown' }),
  situationOf(SPEC, { ready: 'False' }),
];

interface Given {
  readonly status?: KubeObject['status'];
  readonly isDeleted?: boolean;
  readonly ready?: string;
  readonly phase?: string;
}

function situationOf(spec: NonNullable<KubeObject['spec']>, given: Given = {}): NodeSituation {
  const { status = {}, isDeleted = false, ready = 'True', phase } = given;
  const { metadata, ...rest } = workloadNode(spec);
  const deleted = isDeleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
  const annotations = { 'crossplane.io/external-name': 'general-0' };
  const update = phase === undefined ? {} : { update: { id: 'one', phase, startedAt: '2026-01-01T00:00:00Z' } };
  const object: KubeObject = {
    ...rest,
    metadata: { ...metadata, uid: 'o', finalizers: [FINALIZER], annotations, ...deleted },
    status: { ...status, ...update },
  };
  const node = nodeObject({
    unschedulable: false,
    labels: { gone: 'x' },
    annotations: { gone: 'x' },
    taints: [{ key: 't', value: 'v', effect: 'NoSchedule' }],
  });
  const { nodeInfo } = node.status as { readonly nodeInfo: object };
  const conditions = [
    { type: 'Ready', status: ready, lastTransitionTime: '2025-01-01T00:00:00Z', reason: 'r', message: 'm' },
  ];
  return {
    object,
    now: Date.parse('2026-01-01T00:01:00Z'),
    config: { found: CONFIG, usage: usageOf(object) },
    workload: {
      nodes: [{ ...node, status: { ...node.status, nodeInfo: { ...nodeInfo, operatingSystem: 'linux' }, conditions } }],
    },
  };
}
