/**
 * First-boot data from a secret store is in a file that cloud-init reads on every boot. The file keeps the host name,
 * and loses everything that is done once: files, which include join secrets, and commands. The copies that cloud-init
 * keeps until the next boot go: only a command for people reads them, and it has others.
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

/** Of releases up to 23, and since. */
const COPIES = '/run/cloud-init/instance-data-sensitive.json /run/cloud-init/combined-cloud-config.json';

/** Uses the Python of cloud-init, which has its own path on Red Hat. User data itself cannot be changed. */
export const FORGET: Step = {
  field: 'first-boot data',
  command: `[ ! -e ${HANDED_OVER_PATH} ] || { rm -f ${COPIES}; "$(command -v python3 || echo /usr/libexec/platform-python)" -c '${PYTHON}'; }`,
};
