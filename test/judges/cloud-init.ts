/** cloud-init as validator: its own JSON schema, and its own command on the exact bytes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import DraftFour from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { cached, type Found } from './cache.ts';
import { PYTHON } from './debian.ts';
import { runCommand } from './run.ts';

/** The oldest that is widely used, 22.4, and the newest. */
export const CLOUD_INIT_RELEASES = ['bookworm', 'sid'] as const;

const PACKAGES = 'usr/lib/python3/dist-packages';
const SCHEMA = `${PACKAGES}/cloudinit/config/schemas/schema-cloud-config-v1.json`;

export function schemaOf(release: string): Found {
  return cached('cloud-init', release, SCHEMA);
}

/** A validator that lists the errors of the schema for a #cloud-config. */
export function schemaJudge(schemaPath: string): (text: string) => readonly string[] {
  const ajv = new DraftFour.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')) as object);
  return (text) => {
    if (validate(parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message ?? ''}`);
  };
}

export interface CloudInit {
  readonly python: string;
  readonly packages: string;
}

/** The command itself, from its package with the Python of the cache. */
export function cloudInitOf(release: string): CloudInit | { readonly missing: string } {
  const python = cached(...PYTHON);
  const packages = cached('cloud-init', release, PACKAGES);
  if ('missing' in python) return python;
  if ('missing' in packages) return packages;
  return { python: python.path, packages: packages.path };
}

/** The errors of `cloud-init schema`; undefined when the text is valid. */
export function commandProblem({ python, packages }: CloudInit, text: string): string | undefined {
  return withFile(text, (path) => {
    const args = ['-m', 'cloudinit.cmd.main', 'schema', '--config-file', path];
    const { ok, output } = runCommand(python, args, { env: { PYTHONPATH: packages } });
    return ok && /^Valid (cloud-config|schema)/m.test(output) ? undefined : output;
  });
}

const READ_FILES = `
import base64, json, sys, yaml
def content(file):
    data = file.get("content", "")
    return data if file.get("encoding") == "b64" else base64.b64encode(data.encode()).decode()
config = yaml.safe_load(open(sys.argv[1], "rb"))
print(json.dumps([[f["path"], f.get("owner", "root:root"), f.get("permissions", "0644"), content(f)] for f in config["write_files"]]))
`;

/** Files as the YAML parser of cloud-init reads them: path, owner, permissions, content as base64. */
export function filesAsPythonReads({ python }: CloudInit, text: string): readonly (readonly string[])[] {
  return withFile(text, (path) => {
    const { ok, output } = runCommand(python, ['-c', READ_FILES, path]);
    if (!ok) throw new Error(output);
    return JSON.parse(output) as readonly (readonly string[])[];
  });
}

/** The text as a temporary file. */
export function withFile<T>(text: string, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-judge-'));
  try {
    const path = join(folder, 'user-data');
    writeFileSync(path, text);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
