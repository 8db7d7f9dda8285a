/** write_files: what the claim wants, what the plan needs, and the script that does the rest. */
import { posix } from 'node:path';
import type { PlanUnit } from '#lib/api/contracts/bootstrap-plan.ts';
import type { File, Provisioning } from '#lib/api/fields/provisioning.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Order } from '../provisioner.ts';
import { MODULES_FILE, script, SCRIPT_PATH, SYSCTL_FILE } from './script.ts';
import { isPlain } from './yaml.ts';

interface WriteFile {
  readonly path: string;
  readonly owner: string;
  readonly permissions: string;
  readonly append?: true;
  /** Written after users exist. */
  readonly defer?: true;
  readonly encoding?: 'b64';
  readonly content: string;
}

export function writeFiles(order: Order): readonly WriteFile[] {
  const { plan, customisation, owner } = order;
  const created = new Set(customisation.users.flatMap(({ name, groups }) => [name, ...groups]));
  const all = [
    ...customisation.files.map((file, index) => claimedFile(file, index, created, owner)),
    ...plan.files.map((file) => entry({ ...file, bytes: Buffer.from(file.content, 'base64') })),
    ...plan.units.flatMap(unitFile),
    ...settings(customisation),
    entry({ path: SCRIPT_PATH, bytes: Buffer.from(script(order)), mode: '0700' }),
  ];
  refuseDuplicates(all, owner);
  return all;
}

function claimedFile(file: File, index: number, created: ReadonlySet<string>, what: string): WriteFile {
  const { content, encoding } = file;
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  if (encoding === 'base64' && bare(bytes.toString('base64')) !== bare(content))
    throw refusal(
      what,
      `spec.provisioning.files[${index}].encoding`,
      encoding,
      'plain, since its content is not base64',
    );
  // Files are written before users and their groups are made, unless they are deferred.
  return entry({ ...file, bytes, defer: file.owner.split(':').some((name) => created.has(name)) });
}

function bare(base64: string): string {
  return base64.replaceAll(/[\s=]/g, '');
}

interface Wanted {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: string;
  readonly owner?: string;
  readonly append?: boolean;
  readonly defer?: boolean;
}

/** As text where that is safe – smaller, and people can read it –, else as base64. */
function entry({ path, bytes, mode, owner = 'root:root', append = false, defer = false }: Wanted): WriteFile {
  const text = bytes.toString('utf8');
  return {
    path,
    owner,
    permissions: mode,
    ...(append ? { append: true } : {}),
    ...(defer ? { defer: true } : {}),
    ...(isPlain(text) ? { content: text } : { encoding: 'b64', content: bytes.toString('base64') }),
  };
}

function unitFile({ name, contents }: PlanUnit): readonly WriteFile[] {
  if (contents === undefined) return [];
  return [entry({ path: `/etc/systemd/system/${name}`, bytes: Buffer.from(contents), mode: '0644' })];
}

/** Kernel settings outlive the first boot, so they are files; the script applies them now. */
function settings({ sysctls, kernelModules }: Provisioning): readonly WriteFile[] {
  const keys = Object.entries(sysctls).map(([name, value]) => `${name} = ${value}\n`);
  const modules = kernelModules.map((name) => `${name}\n`);
  return [
    ...(keys.length === 0
      ? []
      : [entry({ path: SYSCTL_FILE, bytes: Buffer.from(keys.toSorted().join('')), mode: '0644' })]),
    ...(modules.length === 0
      ? []
      : [entry({ path: MODULES_FILE, bytes: Buffer.from(modules.join('')), mode: '0644' })]),
  ];
}

function refuseDuplicates(files: readonly WriteFile[], what: string): void {
  const seen = new Set<string>();
  for (const { path, append } of files) {
    const place = posix.normalize(path);
    if (append !== true && seen.has(place))
      throw refusal(what, 'spec.provisioning.files', path, 'a path that nothing else writes, or append: true');
    seen.add(place);
  }
}
