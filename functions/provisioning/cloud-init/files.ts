/** write_files: every file as base64, so that its bytes arrive as they are. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { File, Provisioning } from '#lib/api/fields/provisioning.ts';
import type { Order } from '../provisioner.ts';
import { script, SCRIPT_PATH } from './script.ts';

export interface WriteFile {
  readonly path: string;
  readonly encoding: 'b64';
  readonly content: string;
  readonly owner: string;
  readonly permissions: string;
  readonly append?: true;
  /** Written after users exist. */
  readonly defer?: true;
}

export function writeFiles(order: Order): readonly WriteFile[] {
  const { plan, customisation, owner } = order;
  const created = new Set(customisation.users.map(({ name }) => name));
  const claimed = customisation.files.map((file, index) => claimedFile(file, index, created, owner));
  const planned = plan.files.map(({ path, content, mode, owner: fileOwner, append }) =>
    entry(path, content, fileOwner, mode, append, false),
  );
  const own = [...settings(customisation), entry(SCRIPT_PATH, text(script(order)), 'root:root', '0700', false, false)];
  const all = [...claimed, ...planned, ...own];
  refuseDuplicates(all, owner);
  return all;
}

function claimedFile(
  { path, content, encoding, mode, owner, append }: File,
  index: number,
  created: ReadonlySet<string>,
  what: string,
): WriteFile {
  const bytes = encoding === 'base64' ? Buffer.from(content, 'base64') : Buffer.from(content);
  if (
    encoding === 'base64' &&
    bytes.toString('base64').replace(/=+$/, '') !== content.replace(/\s/g, '').replace(/=+$/, '')
  )
    throw new SlipwayError(
      'InvalidClaim',
      `cannot accept ${what}: spec.provisioning.files[${index}].content: is not base64; accepted: base64, or encoding: plain`,
    );
  // Files are written before users are made, unless they are deferred.
  return entry(path, bytes.toString('base64'), owner, mode, append, created.has(owner.split(':')[0] ?? ''));
}

function entry(
  path: string,
  content: string,
  owner: string,
  permissions: string,
  append: boolean,
  defer: boolean,
): WriteFile {
  return {
    path,
    encoding: 'b64',
    content,
    owner,
    permissions,
    ...(append ? { append: true } : {}),
    ...(defer ? { defer: true } : {}),
  };
}

/** Kernel settings stay after the first boot, so they are files; the script applies them now. */
function settings({ sysctls, kernelModules }: Provisioning): readonly WriteFile[] {
  const lines = Object.entries(sysctls).map(([name, value]) => `${name} = ${value}\n`);
  return [
    ...(lines.length === 0
      ? []
      : [entry('/etc/sysctl.d/90-slipway.conf', text(lines.toSorted().join('')), 'root:root', '0644', false, false)]),
    ...(kernelModules.length === 0
      ? []
      : [
          entry(
            '/etc/modules-load.d/slipway.conf',
            text(`${kernelModules.join('\n')}\n`),
            'root:root',
            '0644',
            false,
            false,
          ),
        ]),
  ];
}

function refuseDuplicates(files: readonly WriteFile[], what: string): void {
  const seen = new Set<string>();
  for (const { path, append } of files) {
    if (append !== true && seen.has(path))
      throw new SlipwayError(
        'InvalidClaim',
        `cannot accept ${what}: spec.provisioning.files: ${JSON.stringify(path)} is written twice; accepted: one file for each path, or append: true`,
      );
    seen.add(path);
  }
}

function text(content: string): string {
  return Buffer.from(content).toString('base64');
}
