/** k3s and RKE2 on a machine: its files, and the commands that make it a node. */
import type { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Machine } from '#lib/api/kinds/machine.ts';
import type { Call, Waiting } from '../bootstrapper.ts';
import { carriedFiles } from '../carried.ts';
import { readConfigs } from '../claim-config.ts';
import type { Secrets } from '../machine-secrets.ts';
import { noProxy } from '../no-proxy.ts';
import { asPair, certificateOf, type Part } from '../parts.ts';
import { planFile, SENTINEL } from '../plan-file.ts';
import { proxyDropIns } from '../runtime-files.ts';
import { machineFactsOf } from '../machine-facts.ts';
import { AGENT_TOKEN, CARRIED, PARTS, SERVER_CA, SERVER_TOKEN } from './authorities.ts';
import { commandsOf } from './commands.ts';
import { configFolder, type Distribution } from './distribution.ts';
import { hostCommands, hostFiles } from './host.ts';
import { type Installer, installerOf } from './installer.ts';
import { registryFiles } from './registries.ts';
import { rancherRules } from './rules.ts';
import { type RancherFacts, settingsText, type Tokens } from './settings.ts';
import { fullToken } from './token.ts';

export function machineScope(
  distribution: Distribution,
  call: Call<Machine>,
  cluster: Cluster,
): BootstrapPlan | Waiting {
  const { composite: machine } = call;
  const [config] = readConfigs(call, cluster, rancherRules(distribution));
  const { cloudProvider } = config;
  const installer = installerOf(config, distribution.name, call.owner);
  const found = machineFactsOf(call, cluster, { parts: partsOf(machine), authority: SERVER_CA, cloudProvider });
  if ('waiting' in found) return found;
  const { secrets, ...machineFacts } = found;
  const facts = { ...machineFacts, distribution, config, tokens: tokensOf(machine, secrets) };
  return planOf(facts, installer, secrets);
}

/** The machine that starts a cluster gets all authorities; other servers get them from the first one, agents never. */
function partsOf({ spec }: Machine): readonly Part[] {
  if (spec.bootstrap.action === 'Init') return PARTS;
  const ca = certificateOf(SERVER_CA);
  return spec.role === 'control-plane' ? [ca, SERVER_TOKEN, AGENT_TOKEN] : [ca, AGENT_TOKEN];
}

function tokensOf({ spec }: Machine, secrets: Secrets): Tokens {
  const { cert } = asPair(secrets.of(SERVER_CA));
  const server = secrets.of(SERVER_TOKEN)['value'] ?? '';
  const agent = secrets.of(AGENT_TOKEN)['value'] ?? '';
  if (spec.role === 'worker') return { token: fullToken('node', agent, cert), agentToken: undefined };
  const token = spec.bootstrap.action === 'Init' ? server : fullToken('server', server, cert);
  return { token, agentToken: agent };
}

function planOf(facts: RancherFacts, installer: Installer, secrets: Secrets): BootstrapPlan {
  const { distribution, cluster, machine, owner, config, providerID } = facts;
  const { name } = distribution;
  const { role, version, bootstrap, provisioning } = machine.spec;
  const folder = configFolder(distribution);
  const { pre, bootstrap: starting } = commandsOf({ distribution, role, installer, version, release: config.release });
  const settings = planFile(`${folder}/config.yaml`, settingsText(facts), '0600');
  return {
    contract: 1,
    kind: 'scripted',
    provider: name,
    nodeName: machine.metadata.name,
    files: [
      { ...settings, instanceVariables: providerID !== undefined },
      ...(bootstrap.action === 'Init'
        ? carriedFiles(`/var/lib/rancher/${name}/server/tls`, CARRIED, secrets, '0644')
        : []),
      ...hostFiles(facts),
      ...registryFiles(machine, folder, owner),
      ...proxyDropIns([distribution.unit(role)], provisioning.proxy, noProxy(cluster)),
    ],
    units: [],
    commands: { pre: [...hostCommands(facts), ...pre], bootstrap: starting, post: [] },
    sentinel: SENTINEL,
    // config.yaml stays, because its token is read on every start.
    removeAfterBootstrap: [],
    carries: ['registries'],
    noProxy: [...noProxy(cluster)],
  };
}
