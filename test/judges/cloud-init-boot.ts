/** How cloud-init reads user data: its own stages, in a folder instead of a machine. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '#lib/api/json.ts';
import type { CloudInit } from './cloud-init.ts';
import { runCommand } from './run.ts';

/** The network stage up to the modules: it finds a data source, and stores and reads its user data. */
const BOOT = `
import json, sys
root, instance = sys.argv[1:]
from cloudinit import settings, sources, stages
settings.CLOUD_CONFIG = stages.CLOUD_CONFIG = root + "/etc/cloud/cloud.cfg"
class Played(sources.DataSource):
    dsname = "Played"
    def get_instance_id(self):
        return instance
init = stages.Init(ds_deps=[])
init.read_cfg()
init.initialize()
played = Played(init.cfg, init.distro, init.paths)
played.userdata_raw = open(root + "/user-data", "rb").read()
played.metadata = {"instance-id": instance}
init.datasource = played
init._reset()
played.paths = init.paths
init.instancify()
init.update()
init.consume_data(settings.PER_ALWAYS)
try:
    from cloudinit.config.modules import Modules
except ImportError:
    from cloudinit.stages import Modules
with open(root + "/config.json", "w") as file:
    json.dump(Modules(init).cfg, file, default=str)
`;

/**
 * The configuration that modules of the first stage get, without that of the cloud.cfg in the folder.
 * @param root  a folder for the disk of the machine, which is kept between boots
 */
export function bootedConfig(
  { python, packages }: CloudInit,
  root: string,
  instance: string,
  userData: string,
): JsonObject {
  const paths = { cloud_dir: join(root, 'var/lib/cloud'), run_dir: join(root, 'run') };
  mkdirSync(join(root, 'etc/cloud/cloud.cfg.d'), { recursive: true });
  mkdirSync(paths.run_dir, { recursive: true });
  writeFileSync(join(root, 'etc/cloud/cloud.cfg'), JSON.stringify({ system_info: { distro: 'debian', paths } }));
  writeFileSync(join(root, 'user-data'), userData);
  const { ok, output } = runCommand(python, ['-c', BOOT, root, instance], { env: { PYTHONPATH: packages } });
  if (!ok) throw new Error(output);
  const config: unknown = JSON.parse(readFileSync(join(root, 'config.json'), 'utf8'));
  return isJsonObject(config) ? config : {};
}
