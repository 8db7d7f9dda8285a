/** How a script gets instance data from the cloud, on hosts without a tool for it. */
import type { MetadataService, MetadataValue } from '#lib/api/contracts/metadata-service.ts';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { PRESUMED_METADATA_SERVICE } from '#clouds/metadata-service.ts';
import type { Lookup } from './script.ts';

export function metadataServiceOf({ metadataService }: ScriptedPlan): MetadataService {
  return metadataService ?? PRESUMED_METADATA_SERVICE;
}

/**
 * With curl, which every image with Ignition has. Flatcar and Fedora CoreOS also store the values below /run/metadata,
 * but under different names.
 */
export function shellLookup({ url, token, headers, root, query, values }: MetadataService): Lookup {
  const session = token === undefined ? [] : [`-H "${token.header}: $token"`];
  const begin =
    token === undefined
      ? ''
      : `  token="$(${CURL} -X PUT ${given(token.headers)}"$service/${token.path}")" || return\n`;
  const isCut = Object.values(values).some(({ lastPart }) => lastPart === true);
  return {
    commands: { instanceId: command(values.instanceId), failureDomain: command(values.failureDomain) },
    functions: `
metadata() {
  service=${url}
${begin}  ${[CURL, ...session].join(' ')} ${given(headers)}"$service/${below(root)}$1${asked(query)}"
}
${isCut ? LAST_PART : ''}`,
  };
}

const CURL = 'curl -fsS --retry 10 --retry-connrefused';

const LAST_PART = `last_part() {
  metadata "$1" | sed 's|.*/||'
}
`;

function command({ path, lastPart }: MetadataService['values'][MetadataValue]): string {
  return `${lastPart === true ? 'last_part' : 'metadata'} ${path}`;
}

function given(headers: Readonly<Record<string, string>> = {}): string {
  return Object.entries(headers)
    .map(([name, value]) => `-H '${name}: ${value}' `)
    .join('');
}

/** A PowerShell function: Get-Metadata PATH. A value with other characters than those of an id or zone is refused. */
export function powerShellLookup({ url, token, headers = {}, root, query }: MetadataService): string {
  const begin =
    token === undefined
      ? ''
      : `      $token = Invoke-RestMethod -Method Put -Uri "$service/${token.path}"${table(literals(token.headers))}\n`;
  const session = token === undefined ? [] : [`'${token.header}' = $token`];
  return `function Get-Metadata([string]$name) {
  $service = '${url}'
  for ($try = 1; ; $try++) {
    try {
${begin}      $value = Invoke-RestMethod -Uri "$service/${below(root)}$name${query === undefined ? '' : `\`?${query}`}"${table([...session, ...literals(headers)])}
      break
    } catch {
      if ($try -ge 10) { Stop-Boot "\${name}: the metadata service does not answer" }
      Start-Sleep -Seconds 5
    }
  }
  if ("$value" -notmatch '^[A-Za-z0-9._:/-]+$') { Stop-Boot "\${name}: no usable value" }
  return "$value"
}
`;
}

/** The value as a PowerShell expression. */
export function powerShellValue({ path, lastPart }: MetadataService['values'][MetadataValue]): string {
  return lastPart === true ? `(Get-Metadata '${path}').Split('/')[-1]` : `Get-Metadata '${path}'`;
}

function literals(headers: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `'${name}' = '${value}'`);
}

function table(entries: readonly string[]): string {
  return entries.length === 0 ? '' : ` -Headers @{ ${entries.join('; ')} }`;
}

function below(root: string | undefined): string {
  return root === undefined ? '' : `${root}/`;
}

function asked(query: string | undefined): string {
  return query === undefined ? '' : `?${query}`;
}
