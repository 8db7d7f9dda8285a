/** The CIS benchmark on machines after their first boot: every check passes, or docs/security.md says why it does not. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, type KubeObject } from '#lib/api/json.ts';
import { yamlDocument } from '#lib/api/yaml.ts';
import { hold } from '../../e2e/cases/case.ts';
import { type Asks, asks, type Command, verdicts } from '../benchmark/asks.ts';
import { differences, exceptionsIn, type Failure, type Role } from '../benchmark/exceptions.ts';
import { nodeInfo } from '../benchmark/node-info.ts';
import type { Lab } from '../lab/lab.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';

const PAGE = join(import.meta.dirname, '../../../docs/security.md');
const MANIFESTS = '/etc/kubernetes/manifests';
const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

/** Fewer would mean that something was not read. */
const LEAST = 85;

export const benchmarkCase: Case = {
  name: 'benchmark',
  async run(lab) {
    const asked = asks();
    const failures: Failure[] = [];
    const checks = new Set<string>();
    for (const { machine } of lab.arrivals) {
      const on: Role = machine.part === 'worker' ? 'worker' : 'control plane';
      for (const { check, title, passed } of await judged(lab, machine, asked)) {
        checks.add(check);
        if (!passed) failures.push({ check, title, on, control: asked.controls.get(check) ?? '' });
      }
    }
    const exceptions = exceptionsIn(readFileSync(PAGE, 'utf8'));
    const wrong = [...new Set(differences(failures, exceptions))];
    hold(
      'every check passes, but those that docs/security.md lists with a reason',
      wrong.length === 0,
      wrong.join('; '),
    );
    hold(`at least ${LEAST} checks ran`, checks.size >= LEAST, `${checks.size}`);
    return `${checks.size - exceptions.length} of ${checks.size} checks pass, ${exceptions.length} with a reason do not`;
  },
};

async function judged({ kubectl }: Lab, machine: Machine, asked: Asks) {
  const { name, exec } = machine;
  const configz: unknown = JSON.parse(await kubectl('get', `--raw=/api/v1/nodes/${name}/proxy/configz`));
  hold(`${name}: the kubelet says how it is configured`, at(configz, 'kubeletconfig') !== undefined);
  const controlPlane = machine.part !== 'worker';
  // Encoded, because audits search the arguments of all processes, and would find their own.
  const run = (script: string) =>
    exec('sh', '-c', `echo ${Buffer.from(script).toString('base64')} | base64 -d | sh; true`);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-benchmark-'));
  try {
    const info = await nodeInfo({ name, controlPlane, run }, asked, configz);
    const silent = asked.commands.filter((command) => isOfFile(command, controlPlane) && saysNothing(info, command));
    hold(`${name}: every file exists that a check reads`, silent.length === 0, silent.map(({ key }) => key).join());
    writeFileSync(join(folder, 'node.yaml'), yamlDocument(info));
    for (const component of controlPlane ? COMPONENTS : [])
      writeFileSync(join(folder, `${component}.yaml`), await exec('cat', `${MANIFESTS}/${component}.yaml`));
    return verdicts(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** No check fails for an audit that finds nothing. Those that search processes may find nothing. */
function isOfFile({ audit, controlPlane }: Command, onControlPlane: boolean): boolean {
  return audit.startsWith('stat ') && !audit.includes('ps -ef') && (onControlPlane || !controlPlane);
}

function saysNothing(info: KubeObject, { key }: Command): boolean {
  const values = at(info, 'info', key, 'values');
  return !Array.isArray(values) || values.length === 0;
}
