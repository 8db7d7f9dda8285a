/**
 * First-boot data from a secret store is in a file that cloud-init reads on every boot. The file keeps the host name,
 * and loses everything that is done once: files, which include join secrets, and commands.
 */
import { HANDED_OVER_PATH } from '#lib/api/contracts/payload.ts';
import type { Step } from '../script.ts';

/** Short, because the data of every machine contains it. */
const PYTHON = `import os, yaml
path = os.path.realpath("${HANDED_OVER_PATH}")
config = yaml.safe_load(open(path))
del config["write_files"], config["runcmd"]
os.umask(0o077)
open(path + ".new", "w").write("#cloud-config\\n" + yaml.safe_dump(config))
os.rename(path + ".new", path)`;

/** Uses the Python of cloud-init, which has its own path on Red Hat. User data itself cannot be changed. */
export const FORGET: Step = {
  field: 'first-boot data',
  command: `[ ! -e ${HANDED_OVER_PATH} ] || "$(command -v python3 || echo /usr/libexec/platform-python)" -c '${PYTHON}'`,
};
