import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '#simulator/engine.ts';
import { childrenOf, type Ran, slipway, start } from './slipway.ts';

let undisturbed: Ran;
beforeAll(async () => {
  undisturbed = await slipway('simulate', 'examples/aws', '-o', 'json');
});

const facts = ({ stdout }: Ran): Snapshot => JSON.parse(stdout) as Snapshot;

describe('slipway simulate examples/aws', () => {
  it('brings every claim to Ready and prints what exists', async () => {
    const { code, stdout } = await slipway('simulate', 'examples/aws');
    expect(code).toBe(0);
    const seen = stdout.slice(stdout.indexOf('\nCluster prod') + 1).replace(/^(Calls|Time) .*$/gm, '$1 …');
    await expect(seen).toMatchFileSnapshot('golden/simulate.txt');
  });

  it('shows its progress on standard error with -o json, a line for each event', () => {
    const lines = undisturbed.stderr.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !/^ *(?:\d+[hms])+ {2}[A-Z]\w+ /.test(line))).toEqual([]);
  });

  it('prints one JSON document and nothing else on standard output with -o json: ready, every XR with conditions, every composed resource', () => {
    expect(undisturbed.code).toBe(0);
    const { ready, composites, violations } = facts(undisturbed);
    expect(ready).toBe(true);
    expect(violations).toEqual([]);
    expect(composites.map(({ kind, name }) => `${kind} ${name}`)).toContain('NodePool prod-control-plane');
    expect(composites.filter(({ conditions }) => conditions.length === 0)).toEqual([]);
    expect(
      composites.flatMap(({ composed }) => composed).filter(({ kind, name }) => kind === '' || name === ''),
    ).toEqual([]);
    expect(composites.find(({ kind }) => kind === 'Cluster')?.composed.length).toBeGreaterThan(60);
  });

  it('prints the same bytes for the same seed', async () => {
    expect((await slipway('simulate', 'examples/aws', '-o', 'json')).stdout === undisturbed.stdout).toBe(true);
  });

  it('ends with the same objects for another seed, on a slow cloud with throttling', async () => {
    const other = facts(
      await slipway(
        'simulate',
        'examples/aws',
        '-o',
        'json',
        '--seed',
        '7',
        '--fail',
        'slow-objects=0.3',
        '--fail',
        'rate-limits=0.2',
      ),
    );
    // Uids, which another seed changes, are part of names: that of a pool of its machines', that of a Cluster of its
    // ProviderConfigs for add-ons.
    const set = ({ composites }: Snapshot): readonly string[] =>
      composites
        .flatMap(({ kind, name, composed }) => [`${kind} ${name}`, ...composed.map((one) => `${one.kind} ${one.name}`)])
        .map((line) =>
          line
            .replace(/-(\d+)-[a-z\d]{5}\b/, '-$1')
            .replace(/^(ProviderConfig prod)-[a-z\d]+$/, '$1')
            .replace(/-nodes-[a-z\d]{8}$/, '-nodes'),
        )
        .toSorted();
    expect(set(other)).toEqual(set(facts(undisturbed)));
  });

  it.skipIf(!existsSync('/proc/self/status'))(
    'prints the same bytes with functions as processes, which are stopped and started again',
    async () => {
      const { child, ended } = start(['simulate', 'examples/aws', '--processes', '-o', 'json']);
      let killed = 0;
      await once(child.stderr, 'data'); // the first line of progress: functions serve
      for (const name of ['cluster', 'bootstrap', 'machine', 'nodepool']) {
        await sleep(700);
        for (const pid of childrenOf(child.pid ?? 0, `functions/${name}/`))
          killed += process.kill(pid, 'SIGKILL') ? 1 : 0;
      }
      const { code, stdout } = await ended;
      expect(killed).toBeGreaterThanOrEqual(2);
      expect(code).toBe(0);
      expect(stdout === undisturbed.stdout).toBe(true);
    },
  );

  it.skipIf(!existsSync('/proc/self/status')).for([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGKILL', code: null },
  ] as const)('leaves no function running when it is ended by $signal', async ({ signal, code }) => {
    const { child, ended } = start(['simulate', 'examples/aws', '--processes']);
    await once(child.stdout, 'data'); // the first line of progress: functions serve
    const functions = childrenOf(child.pid ?? 0, 'functions/');
    expect(functions).toHaveLength(7);
    child.kill(signal);
    for (let i = 0; i < 3000 && functions.some(isAlive); i += 1) await sleep(200);
    const left = functions.filter(isAlive);
    for (const pid of left) process.kill(pid);
    expect(left).toEqual([]);
    expect((await ended).code).toBe(code);
  });

  it('exits with 3 and reports why when the time limit is reached', async () => {
    const { code, stdout } = await slipway('simulate', 'examples/aws', '--for', '3m');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Not ready: LBListener prod-listener-api: \S+/m);
    expect(stdout).not.toContain('It stopped early');
    expect(stdout).toMatch(/Cluster prod +not ready/);
  });

  it('names every claim that the API server refuses before anything is simulated, in the words of slipway validate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-refused-'));
    const text = readFileSync('docs/tutorial/shop.yaml', 'utf8')
      .replace('machine: { class: standard-2 }', 'machine: { class: standard-2, capacityType: spot }')
      .replace('replicas: 2', 'replicas: -2');
    writeFileSync(join(folder, 'shop.yaml'), text);
    const { code, stdout, stderr } = await slipway('simulate', folder);
    const judged = await slipway('validate', folder);
    rmSync(folder, { recursive: true });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^slipway: cannot accept Cluster .*machine\.capacityType: "spot" is not accepted; .*\n/);
    expect(stderr.replaceAll('slipway: ', '')).toBe(judged.stdout.replace(/^2 claims: .*\n/m, ''));
    expect(stderr).toContain('slipway: cannot accept NodePool "');
  });

  it.each(['simulate', 'payload'])(
    'that no Composition fits is told as by slipway validate, with those that would: slipway %s',
    async (command) => {
      const folder = mkdtempSync(join(tmpdir(), 'slipway-unfit-'));
      const text = readFileSync('examples/aws/cluster.yaml', 'utf8').replace('flavor: aws', 'flavor: awz');
      writeFileSync(join(folder, 'cluster.yaml'), text);
      const { code, stdout, stderr } = await slipway(command, folder);
      const judged = await slipway('validate', folder);
      rmSync(folder, { recursive: true });
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr.replace('slipway: ', '')).toBe(judged.stdout.replace(/^1 claim: .*\n/m, ''));
      expect(stderr).toMatch(
        /; accepted: .*slipway\.dev\/flavor=gcp; did you mean "slipway\.dev\/flavor=aws"\?\n.*, line \d+$/m,
      );
    },
  );

  it('stops long before its limit when a claim waits for what is not there, and says what that is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-lone-'));
    const [pool = ''] = readFileSync('examples/aws/node-pools.yaml', 'utf8').split('---');
    writeFileSync(join(folder, 'pool.yaml'), pool.replace('name: prod\n', 'name: nope\n'));
    const { code, stdout } = await slipway('simulate', folder);
    rmSync(folder, { recursive: true });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Time +1[0-9]m/m);
    expect(stdout).toContain(
      'Not ready: NodePool prod-general: waiting for Cluster "team-a/nope": not accepted yet, or not found\n',
    );
    expect(stdout).toContain('It stopped early: nothing changes until this is mended.');
  });

  it('stops long before its limit when a step refuses a claim, however often it writes its status', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-refused-'));
    const text = readFileSync('docs/tutorial/shop.yaml', 'utf8').replace('provider: kubeadm', 'provider: kubeadmn');
    writeFileSync(join(folder, 'shop.yaml'), text);
    const { code, stdout } = await slipway('simulate', folder);
    rmSync(folder, { recursive: true });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Time +1[0-9]m/m);
    expect(stdout).toContain('spec.bootstrap.provider: "kubeadmn" is not accepted');
    expect(stdout).toContain('It stopped early: nothing changes until this is mended.');
  });

  it('stops long before its limit when a claim refers to what is only observed, and says what to change', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-observed-'));
    const page = readFileSync('docs/clouds/existing-parts.md', 'utf8');
    writeFileSync(join(folder, 'shared.yaml'), /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
    const { code, stdout } = await slipway('simulate', folder);
    rmSync(folder, { recursive: true });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Time +1[0-9]m/m);
    expect(stdout).toContain('network.ref names: observe failed: external resource does not exist\n');
    expect(stdout).toContain('A simulated cloud begins empty: leave managementPolicies and the external name out');
  });

  it('never brings a cluster without a pod network to Ready, and says which condition waits and why', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-bare-'));
    const claim = readFileSync('examples/aws/cluster.yaml', 'utf8');
    const skipped = ['tigera-operator', 'calico-crds', 'aws-cloud-controller-manager', 'aws-ebs-csi-driver'];
    const addons = skipped.map((name) => `    - { name: ${name}, default: Skip }\n`).join('');
    writeFileSync(join(folder, 'cluster.yaml'), claim.replace(/^spec:$/m, `spec:\n  addons:\n${addons.trimEnd()}`));
    const { code, stdout } = await slipway('simulate', folder, '--for', '20m');
    rmSync(folder, { recursive: true });
    expect(code).toBe(3);
    expect(stdout).toMatch(/Cluster prod +not ready/);
    expect(stdout).toMatch(/Not ready: WorkloadNode \S+: Node "\S+" is not ready: it has no pod network/);
  });

  it('shows in the readiness of the Cluster that nodes wait for the pod network', () => {
    const { timeline } = facts(undisturbed);
    const first = (text: string): number => timeline.findIndex((moment) => moment.text.startsWith(text));
    const order = [
      'started the cluster',
      'Node "prod-control-plane-0',
      'brought the pod network',
      'NodeHealthy',
      'AddonsReady',
    ].map(first);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it('patches a label on nodes in place: no machine is created or deleted', async () => {
    const { code, stdout } = await slipway(
      'simulate',
      'examples/aws',
      '-o',
      'json',
      '--apply',
      'examples/aws/edits/label.yaml@12m',
    );
    expect(code).toBe(0);
    expect(facts({ ...undisturbed, stdout }).counters).toMatchObject({
      machinesBooted: 8,
      nodesDrained: 0,
      cloudDeleted: {},
    });
  });

  it('resizes machines in place when their size changes, and replaces none', async () => {
    const { code, stdout } = await slipway(
      'simulate',
      'examples/aws',
      '-o',
      'json',
      '--apply',
      'examples/aws/edits/instance-type.yaml@12m',
    );
    expect(code).toBe(0);
    const { counters, violations } = facts({ ...undisturbed, stdout });
    expect(violations).toEqual([]);
    expect(counters).toMatchObject({ machinesBooted: 8, nodesUpdated: 2 });
    expect(counters.cloudDeleted['Instance']).toBeUndefined();
  });
});

describe('an ordinary deletion', () => {
  it('shows what goes in its order, and nothing that only what is going lacks', async () => {
    const deleted = ['--delete', 'NodePool/shop-general@12m', '--delete', 'Cluster/shop@20m'];
    const { code, stdout } = await slipway('simulate', 'docs/tutorial/shop.yaml', ...deleted);
    const since = stdout.slice(stdout.indexOf(' 12m00s')).split('\n\n')[0] ?? '';
    expect(code).toBe(0);
    expect(since).not.toMatch(/ is (?:False|Unknown)|not found/);
    expect(since).toMatch(/^ 12m01s {2}NodePool shop-general {2}gone; what it composed is deleted after it$/m);
    const cluster = since.split('\n').filter((line) => / Cluster shop | shop-control-plane/.test(line));
    expect(cluster.map((line) => line.replace(/^ *\S+ +(\w+) \S+ +(gone|deletion|Node).*$/, '$1 $2'))).toEqual([
      'Cluster deletion',
      'Cluster gone',
      'NodePool deletion',
      'NodePool gone',
      'Machine deletion',
      'Machine gone',
      'WorkloadNode Node',
    ]);
  });
});

/** A zombie process counts as ended. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
