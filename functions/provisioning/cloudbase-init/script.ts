/**
 * The script of the first boot on Windows, in the same order as ../script.ts: checks, access to private files, values
 * that only the machine knows, pre commands of the claim, commands of the plan, removal of join secrets, post commands,
 * sentinel. Every command runs in its own PowerShell; the first that fails ends the script. A script that runs again
 * goes on as there, with the first command of the plan, or after it, that was not done.
 */
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { MACHINE_VALUES } from '#lib/api/contracts/metadata-service.ts';
import { type MachineVariable, variablesIn } from '#lib/api/machine-variables.ts';
import { actionOf, type Expansion, expansionOf } from '../machine-variables.ts';
import { metadataServiceOf, powerShellLookup, powerShellValue } from '../metadata.ts';
import type { Order } from '../provisioner.ts';
import { checksOf } from './checks.ts';
import { onDriveC } from './paths.ts';
import { text } from './text.ts';

export const SCRIPT_PATH = '/etc/slipway/bootstrap.ps1';

/** Without it, Windows PowerShell misreads non-ASCII characters. */
const BOM = '\ufeff';

/** The file of each command while it runs. */
const FOLDER = '/var/lib/slipway';

/** Exit codes of commands are not returned: cloudbase-init treats some of them as a request to reboot. */
const PROLOGUE = `$ErrorActionPreference = 'Stop'

function Stop-Boot([string]$message) {
  [Console]::Error.WriteLine("slipway: $message")
  exit 1
}

# For Administrators and the system alone.
function Protect-Item([string]$path, [string]$rights) {
  icacls.exe $path /inheritance:r /grant "*S-1-5-18:$rights" "*S-1-5-32-544:$rights" | Out-Null
  if ($LASTEXITCODE -ne 0) { Stop-Boot "icacls $path failed with exit code $LASTEXITCODE" }
}

function Invoke-Step([string]$name, [string]$encoded) {
  $file = '${onDriveC(FOLDER)}/step.ps1'
  [IO.File]::WriteAllBytes($file, [Convert]::FromBase64String($encoded))
  & powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File $file
  $status = $LASTEXITCODE
  Remove-Item -LiteralPath $file -Force
  if ($status -ne 0) { Stop-Boot "$name failed with exit code $status" }
}
`;

/** Says in a file how many steps are done. @param done  the sentinel */
function once(done: string): string {
  const [number, next] = [text(`${done}.n`), text(`${done}.m`)];
  return `
$script:n = 0
$script:had = 0
if (Test-Path -LiteralPath ${number}) { $script:had = [int][IO.File]::ReadAllText(${number}) }

function Invoke-Once([string]$name, [string]$encoded) {
  $script:n += 1
  if ($script:n -le $script:had) { return }
  Invoke-Step $name $encoded
  [IO.File]::WriteAllText(${next}, "$script:n")
  Move-Item -Force -LiteralPath ${next} -Destination ${number}
}
`;
}

export function powerShell(order: Order<'scripted'>): string {
  const { plan, customisation } = order;
  const expansion = expansionOf(order);
  const { commands, sentinel, removeAfterBootstrap, provider } = plan;
  const { commands: claimed, files } = customisation;
  const done = text(onDriveC(sentinel));
  const before = [
    ...checksOf(customisation).map(({ field, command }) => step('Invoke-Step', field, command)),
    ...[...files, ...plan.files, { path: SCRIPT_PATH, mode: '0700' }]
      .filter(({ mode }) => mode.endsWith('00'))
      .map(({ path }) => `Protect-Item ${text(onDriveC(path))} 'F'`),
    ...replacing(expansion.files, expansion.used),
    ...substitutions(plan, expansion.used.length > 0),
    ...steps('commands.pre', claimed.pre),
    ...steps('commands.preFrom', claimed.preFrom),
    ...steps(`${provider} pre`, commands.pre),
  ];
  const parts = [
    PROLOGUE,
    `if (Test-Path -LiteralPath ${done}) { exit 0 }`,
    `New-Item -ItemType Directory -Force -Path ${text(onDriveC(FOLDER))} | Out-Null`,
    `Protect-Item ${text(onDriveC(FOLDER))} '(OI)(CI)F'`,
    `New-Item -ItemType Directory -Force -Path (Split-Path -Parent ${done}) | Out-Null`,
    once(onDriveC(sentinel)),
    ...settingVariables(order, expansion),
    // A host that is a node cannot become one again.
    `if ($script:had -lt ${Math.max(commands.bootstrap.length, 1)}) {`,
    ...before,
    '}',
    ...steps(`${provider} bootstrap`, commands.bootstrap, 'Invoke-Once'),
    ...removeAfterBootstrap
      .map((path) => text(onDriveC(path)))
      .map((path) => `if (Test-Path -LiteralPath ${path}) { Remove-Item -LiteralPath ${path} -Force }`),
    ...steps(`${provider} post`, commands.post, 'Invoke-Once'),
    ...steps('commands.post', claimed.post, 'Invoke-Once'),
    ...steps('commands.postFrom', claimed.postFrom, 'Invoke-Once'),
    `New-Item -ItemType File -Force -Path ${done} | Out-Null`,
  ];
  return `${BOM}${parts.join('\n')}\n`.replaceAll('\n', '\r\n');
}

function substitutions(plan: ScriptedPlan, isDefined: boolean): readonly string[] {
  const asked = plan.files.filter(({ instanceVariables }) => instanceVariables);
  const used = MACHINE_VALUES.filter((name) =>
    asked.some(({ content }) => Buffer.from(content, 'base64').includes(`\${${name}}`)),
  );
  if (used.length === 0) return [];
  const service = metadataServiceOf(plan);
  return [
    ...(isDefined ? [] : [powerShellLookup(service)]),
    ...used.map((name) => `$${name} = ${powerShellValue(service.values[name])}`),
    ...replacing(
      asked.map(({ path }) => path),
      used,
    ),
  ];
}

/** Each variable in place of its reference in files. */
function replacing(paths: readonly string[], names: readonly string[]): readonly string[] {
  return paths.flatMap((path) => [
    `$file = ${text(onDriveC(path))}`,
    '$content = [IO.File]::ReadAllText($file)',
    ...names.map((name) => `$content = $content.Replace(${text(`\${${name}}`)}, $${name})`),
    '[IO.File]::WriteAllText($file, $content, (New-Object Text.UTF8Encoding $false))',
  ]);
}

/** Values of the machine that the claim uses, and a function that puts them into a command. */
function settingVariables({ plan, action }: Order<'scripted'>, { used }: Expansion): readonly string[] {
  if (used.length === 0) return [];
  const service = metadataServiceOf(plan);
  const values: Readonly<Record<MachineVariable, string>> = {
    SLIPWAY_INSTANCE_ID: powerShellValue(service.values.instanceId),
    SLIPWAY_FAILURE_DOMAIN: powerShellValue(service.values.failureDomain),
    SLIPWAY_ADDRESS: "(Find-NetRoute -RemoteIPAddress '192.0.2.1')[0].IPAddress",
    SLIPWAY_HOSTNAME: text(plan.nodeName),
    SLIPWAY_ACTION: text(actionOf(action)),
  };
  return [
    powerShellLookup(service),
    ...used.flatMap((name) => [
      `$${name} = ${values[name]}`,
      `if ("$${name}" -notmatch '^[A-Za-z0-9._:/-]+$') { Stop-Boot '${name}: no usable value' }`,
    ]),
    'function Expand-Step([string]$encoded) {',
    '  $content = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($encoded))',
    ...used.map((name) => `  $content = $content.Replace(${text(`\${${name}}`)}, $${name})`),
    '  return [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($content))',
    '}',
  ];
}

type How = 'Invoke-Step' | 'Invoke-Once';

function steps(name: string, commands: readonly string[], how: How = 'Invoke-Step'): readonly string[] {
  return commands.map((command, index) => step(how, `${name}[${index}]`, command));
}

/** Named by its position, not its content: a command may contain a secret, and this is printed. */
function step(how: How, name: string, command: string): string {
  const word = `'${encoded(command)}'`;
  return `${how} ${text(name)} ${variablesIn(command).length === 0 ? word : `(Expand-Step ${word})`}`;
}

/** A command fails if its last program fails, or on any PowerShell error. */
function encoded(command: string): string {
  const lines = [
    `${BOM}$ErrorActionPreference = 'Stop'`,
    '$global:LASTEXITCODE = 0',
    command,
    'exit $LASTEXITCODE',
    '',
  ];
  return Buffer.from(lines.join('\r\n')).toString('base64');
}
