/**
 * What k3s makes of its first-boot data: servers with the authorities of the claim, of which the second got its keys from the
 * first, an agent, and a pod on it.
 */
import { hold } from '../../e2e/cases/case.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { stringAt } from '#lib/api/json.ts';
import type { Lab } from '../lab/lab.ts';
import type { Machine } from '../lab/machine.ts';
import type { Case } from './case.ts';
import { isDone, isLogged } from './logs.ts';

const KEYS = '/var/lib/rancher/k3s/server/tls';
const CONFIG = '/etc/rancher/k3s/config.yaml';

export const k3sCase: Case = {
  name: 'k3s',
  async run(lab) {
    const { arrivals, claimed } = lab;
    const secrets = [
      ['the key of the authority', claimed.secret('ca', 'tls.key').toString().split('\n')[1] ?? ''],
      ['the token of servers', claimed.secret('token', 'value').toString()],
      ['the token of agents', claimed.secret('agent-token', 'value').toString()],
    ] as const;
    for (const { machine } of arrivals) {
      await isDone(machine);
      hold(`${machine.name}: its logs can be searched`, await isLogged(machine, machine.name));
      for (const [what, secret] of secrets)
        hold(`${machine.name}: ${what} is in no log`, !(await isLogged(machine, secret)));
      const mode = (await machine.exec('stat', '--format=%a %U', CONFIG)).trim();
      hold(`${machine.name}: only root reads ${CONFIG}`, mode === '600 root', mode);
      await (machine.part === 'worker'
        ? agent(machine, claimed.secret('token', 'value').toString())
        : server(lab, machine));
    }
    await pod(lab, arrivals.find(({ machine }) => machine.part === 'worker')!.machine);
    const etcd = (
      await lab.kubectl('get', 'nodes', '--selector=node-role.kubernetes.io/etcd=true', '--output=name')
    ).trim();
    hold('both servers are members of etcd', etcd.split('\n').length === 2, etcd);
    return 'two servers with the authorities of the claim, an agent with its own token, a pod on it';
  },
};

async function server({ claimed, kubectl }: Lab, { name, address, exec }: Machine): Promise<void> {
  for (const [file, part] of [
    ['server-ca.crt', 'ca'],
    ['client-ca.crt', 'cca'],
  ] as const) {
    const seen = (await exec('cat', `${KEYS}/${file}`)).trim();
    hold(`${name}: ${file} is that of the claim`, seen === claimed.secret(part, 'tls.crt').toString().trim(), seen);
  }
  const open = await exec('find', KEYS, '-name', '*.key', '-perm', '/077');
  hold(`${name}: keys are root's alone`, open === '', open);
  const enabled = (await exec('systemctl', 'is-enabled', 'k3s.service')).trim();
  hold(`${name}: k3s comes back after a reboot`, enabled === 'enabled', enabled);
  const encryption = await exec('k3s', 'secrets-encrypt', 'status');
  hold(`${name}: Secrets are encrypted`, encryption.includes('Encryption Status: Enabled'), encryption);
  const said = await kubectl('get', '--raw=/readyz', `--server=https://${address}:6443`);
  hold(`the API server of ${name} is ready`, said === 'ok', said);
}

async function agent({ name, exec }: Machine, serverToken: string): Promise<void> {
  const enabled = (await exec('systemctl', 'is-enabled', 'k3s-agent.service')).trim();
  hold(`${name}: k3s comes back after a reboot`, enabled === 'enabled', enabled);
  const found = await exec(
    'sh',
    '-c',
    'grep -rlF -e "$0" /etc/rancher /var/lib/rancher/k3s/agent || true',
    serverToken,
  );
  hold(`${name}: an agent does not know the token of servers`, found === '', found);
}

/** On the network of its host: the plugin of flannel is not part of this image. */
async function pod({ kubectl }: Lab, { name: node }: Machine): Promise<void> {
  const overrides = {
    apiVersion: 'v1',
    spec: { nodeName: node, hostNetwork: true, tolerations: [{ operator: 'Exists' }], enableServiceLinks: false },
  };
  const image = 'images.example.com/pause:3.10.2';
  const options = ['--restart=Never', '--image-pull-policy=Never', `--overrides=${JSON.stringify(overrides)}`];
  await kubectl('run', 'looked-for', `--image=${image}`, ...options);
  await until(`a pod runs on ${node}`, { seconds: 120, every: 1000 }, async () => {
    const seen = JSON.parse(await kubectl('get', 'pod', 'looked-for', '--output=json')) as unknown;
    const phase = stringAt(seen, 'status', 'phase') ?? 'no status';
    return phase === 'Running' ? { found: true } : { yet: phase };
  });
}
