/** Functions, provider-node, both API servers and Crossplane itself are killed during a change; the result is the same. */
import { pause } from '../lab/waiting.ts';
import { type Case, hold } from './case.ts';
import { TEAM, authorityOf, instancesMade, machinesOf, nameOf, poolSettles } from './scene.ts';

export const killsCase: Case = {
  name: 'kills',
  after: ['claim'],
  async run(lab, log) {
    const authority = await authorityOf(lab, 'prod');
    const before = (await machinesOf(lab)).map(nameOf);
    const made = instancesMade(lab);
    await lab.kubectl('-n', TEAM, 'scale', 'nodepool.slipway.dev/prod-memory', '--replicas=5');
    await pause(1500);
    for (const name of ['function-machine', 'function-nodepool', 'function-bootstrap'])
      await lab.runtime.functions.get(name)?.kill();
    log('three functions killed');
    await lab.runtime.providers.get('provider-node')?.kill();
    const [cluster] = await lab.workloads.all();
    await cluster?.server.running().kill();
    log('provider-node and the API server of the workload cluster killed');
    await pause(3000);
    await lab.crossplane.core().kill();
    log('Crossplane killed');
    await pause(2000);
    await lab.crossplane.restartCore();
    await cluster?.server.restart();
    await lab.kubernetes.server().kill();
    log('API server killed');
    await pause(2000);
    await lab.kubernetes.restartServer();
    await poolSettles(lab, 'prod-memory', 5, 300);
    hold('three machines were made, none twice', instancesMade(lab) - made === 3, String(instancesMade(lab) - made));
    const after = (await machinesOf(lab)).map(nameOf);
    hold(
      'every machine from before is there',
      before.every((name) => after.includes(name)),
      after.join(),
    );
    hold("the cluster's authority is the same", (await authorityOf(lab, 'prod')) === authority);
    hold(
      'the cloud saw nothing impossible',
      lab.cloud.front.violations.length === 0,
      lab.cloud.front.violations.join(),
    );
    return 'functions, provider-node, Crossplane, the API servers of both clusters';
  },
};
