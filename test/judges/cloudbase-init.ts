/**
 * cloudbase-init as validator: its own executor reads the data, and its own plugin writes the files, into a folder, on
 * any system.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CACHE, cached, type Found } from './cache.ts';
import { runCommand } from './run.ts';

/** A Python environment with cloudbase-init, which imports no Windows modules before it runs there. */
export const CLOUDBASE_INIT = ['cloudbase-init', 'bin', 'python'];

const VERSION = '1.1.9';

/** Undefined when it is in the cache, otherwise the reason. */
export function makeCloudbaseInit(): string | undefined {
  const made = runCommand('python3', ['-m', 'venv', join(CACHE, 'cloudbase-init')]);
  if (!made.ok) return made.output.slice(-300);
  const python = join(CACHE, ...CLOUDBASE_INIT);
  const installed = runCommand(python, ['-m', 'pip', 'install', '-q', `cloudbase-init==${VERSION}`]);
  return installed.ok ? undefined : installed.output.slice(-300);
}

export function cloudbaseInit(): Found {
  return cached(...CLOUDBASE_INIT);
}

const JUDGE = `
import base64, json, os, sys
from cloudbaseinit.plugins.common.userdataplugins import cloudconfig
from cloudbaseinit.plugins.common.userdataplugins.cloudconfigplugins import factory, runcmd, write_files
data = open(sys.argv[1], "rb").read()
os.chdir(sys.argv[2])
executor = cloudconfig.CloudConfigPluginExecutor.from_yaml(data)
plugins = dict(executor._expected_plugins)
write_files.WriteFilesPlugin().process(plugins["write_files"])
files = {}
for folder, _, names in os.walk("."):
    for name in names:
        path = os.path.join(folder, name)
        files[path[2:]] = base64.b64encode(open(path, "rb").read()).decode()
print(json.dumps({
    "order": [name for name, _ in executor._expected_plugins],
    "unknown": [name for name in plugins if name not in factory.PLUGINS],
    "script": runcmd.RunCmdPlugin._unify_scripts(plugins["runcmd"], "rem cmd"),
    "files": files,
}))
`;

export interface Done {
  /** Keys in the order it handles them. */
  readonly order: readonly string[];
  /** Keys that it would ignore. */
  readonly unknown: readonly string[];
  /** The commands for cmd.exe. */
  readonly script: string;
  /** Content in base64, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** How it handles first-boot data. */
export function doneWith(python: string, text: string): Done {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  try {
    const path = join(folder, 'user-data');
    const target = mkdtempSync(join(folder, 'drives-'));
    writeFileSync(path, text);
    const { ok, output } = runCommand(python, ['-c', JUDGE, path, target]);
    if (!ok) throw new Error(output);
    return JSON.parse(output.slice(output.lastIndexOf('\n{') + 1)) as Done;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
