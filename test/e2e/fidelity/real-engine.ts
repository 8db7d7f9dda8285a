/** One reconcile by Crossplane's own engine: `crossplane composition render` with the core binary, no containers. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import { functionName } from '../../../cli/files/repository.ts';
import type { Functions } from '../../../cli/processes/functions.ts';
import type { Binaries } from '../binaries/find.ts';
import type { Start } from './rungs.ts';

/** What it prints: the XR, what it composes, results. Throws with Crossplane's last line. */
export async function renderReally(
  binaries: Pick<Binaries, 'crossplane' | 'crossplane-core'>,
  functions: Functions,
  folder: string,
  { xr, composition, observed, required }: Start,
): Promise<readonly KubeObject[]> {
  const write = (name: string, objects: readonly object[]): string => {
    const file = join(folder, name);
    writeFileSync(file, objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n'));
    return file;
  };
  const seen = observed.length === 0 ? [] : ['--observed-resources', write('observed.yaml', observed)];
  const files = [write('xr.yaml', [xr]), write('composition.yaml', [composition])];
  const args = ['composition', 'render', ...files, write('functions.yaml', functionObjects(functions)), ...seen];
  args.push('--required-resources', write('required.yaml', required), '--include-function-results');
  args.push('--crossplane-binary', binaries['crossplane-core']);
  try {
    const { stdout } = await promisify(execFile)(binaries.crossplane, args, {
      maxBuffer: 64 * 1024 * 1024,
      timeout: 90_000,
    });
    return parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
  } catch (thrown) {
    const { stderr = '' } = thrown as { readonly stderr?: string };
    throw new Error(stderr.trim().split('\n').at(-1) ?? 'it says nothing', { cause: thrown });
  }
}

function functionObjects(functions: Functions): readonly object[] {
  return functions.all.map(({ name, address }) => ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: {
      name: functionName(name),
      annotations: {
        'render.crossplane.io/runtime': 'Development',
        'render.crossplane.io/runtime-development-target': address,
      },
    },
    spec: { package: `xpkg.crossplane.io/slipway/function-${name}:v0.1.0` },
  }));
}
