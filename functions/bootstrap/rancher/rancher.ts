/** A bootstrapper for k3s or RKE2: static authorities and tokens of the cluster, and one service on each machine. */
import type { Bootstrapper } from '../bootstrapper.ts';
import { keepCluster } from '../cluster.ts';
import { isNew } from '../records.ts';
import { registriesScript } from '../registries-update.ts';
import { CLIENT_CA, PARTS, SERVER_CA } from './authorities.ts';
import { installerOf } from './installer.ts';
import { readConfig } from './read-config.ts';
import { configFolder, type Distribution, ofAllServers } from './distribution.ts';
import { machineScope } from './machine.ts';
import { registryFiles } from './registries.ts';

export function rancher(distribution: Distribution): Bootstrapper {
  return {
    config: {
      schema: distribution.schema,
      about: `Keys of config.yaml, and how ${distribution.name} is installed.`,
      ofTheCluster: ofAllServers(distribution),
      ofControlPlanes: distribution.keys.server,
    },
    forCluster: (call) => {
      const { composite, owner, request } = call;
      const config = readConfig(distribution, composite.spec.bootstrap.config, owner);
      const { encryptionAlgorithm: algorithm } = config;
      // Its first machine would be refused, after its network was made.
      if (isNew(request, composite)) installerOf(config, distribution.name, owner);
      return keepCluster(call, {
        parts: PARTS,
        terms: { algorithm },
        authority: SERVER_CA,
        clientAuthority: CLIENT_CA,
      });
    },
    forMachine: (call, cluster) => machineScope(distribution, call, cluster),
    forUpdate: ({ machine, owner }) => {
      const folder = configFolder(distribution);
      const unit = distribution.unit(machine.spec.role);
      return [registriesScript({ files: [], ofUnit: { unit, files: registryFiles(machine, folder, owner) } })];
    },
  };
}
