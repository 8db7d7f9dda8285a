/**
 * First-boot data that was handed over lies where cloud-init reads it at every boot: it keeps the host's name in it, and is
 * freed of what is done once – files, in which join secrets are, and commands.
 */
import { HANDED_OVER_PATH } from '#lib/api/contracts/payload.ts';
import type { Step } from '../script.ts';

/** Short, since every machine's data carries it. */
const PYTHON = `import os, yaml
path = os.path.realpath("${HANDED_OVER_PATH}")
config = yaml.safe_load(open(path))
del config["write_files"], config["runcmd"]
os.umask(0o077)
open(path + ".new", "w").write("#cloud-config\\n" + yaml.safe_dump(config))
os.rename(path + ".new", path)`;

/** In cloud-init's own Python: Red Hat's has a place of its own. User data itself is not ours to change. */
export const FORGET: Step = {
  field: 'first-boot data',
  command: `[ ! -e ${HANDED_OVER_PATH} ] || "$(command -v python3 || echo /usr/libexec/platform-python)" -c '${PYTHON}'`,
};
