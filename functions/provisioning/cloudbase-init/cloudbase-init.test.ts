import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { stepsOf } from './decoded.fixture.ts';
import { aPlan, aPlanFile, aRenderRequest, rendered, replyTo } from '../plan.fixture.ts';

const FORMAT = { format: 'cloudbase-init' };
const PLAN = aPlan({
  os: 'windows',
  files: [
    aPlanFile('/etc/kubernetes/kubeadm.yaml', 'id: ${failureDomain}/${instanceId}\n', { instanceVariables: true }),
    aPlanFile('/etc/kubernetes/patches/a.json', '{}\n', { mode: '0644' }),
  ],
  commands: { pre: ['Set-Service kubelet'], bootstrap: ['kubeadm.exe join'], post: [] },
  removeAfterBootstrap: ['/etc/kubernetes/kubeadm.yaml'],
});

const EVERYTHING: JsonObject = {
  ...FORMAT,
  files: [
    { path: '/k/prepare.ps1', content: "Write-Output 'Zoë’s'\r\n", mode: '0700' },
    { path: '/k/log.txt', content: 'more', append: true },
  ],
  users: [{ name: 'ops', gecos: 'Zoë', groups: ['Administrators'], sshAuthorizedKeys: ['ssh-ed25519 AAAAfake'] }],
  groups: [{ name: 'app' }],
  ntp: { servers: ['169.254.169.123'] },
  timezone: 'Europe/Zurich',
  hosts: [{ address: '10.0.0.9', names: ['registry'] }],
  commands: { pre: ["Write-Output 'it’s'", 'C:/k/prepare.ps1'], post: ['Write-Output done'] },
};

interface CloudConfig {
  readonly write_files: readonly {
    readonly path: string;
    readonly content: string;
    readonly encoding: string;
    readonly permissions: string;
    readonly append?: boolean;
  }[];
  readonly [key: string]: unknown;
}

const configOf = async (provisioning: JsonObject = FORMAT, plan: unknown = PLAN): Promise<CloudConfig> =>
  parse(await rendered(provisioning, plan)) as CloudConfig;

const bytesAt = (config: CloudConfig, path: string): Buffer =>
  Buffer.from(config.write_files.find((file) => file.path === path)?.content ?? '', 'base64');

const scriptOf = async (provisioning: JsonObject = FORMAT, plan: unknown = PLAN): Promise<string> =>
  bytesAt(await configOf(provisioning, plan), 'C:/etc/slipway/bootstrap.ps1').toString();

async function refused(provisioning: JsonObject, plan: unknown = PLAN): Promise<SlipwayError> {
  const outcome = await replyTo(aRenderRequest(provisioning, plan)).catch((thrown: unknown) => thrown);
  if (outcome instanceof SlipwayError) return outcome;
  throw new Error('it was not refused');
}

describe('first-boot data of a Windows worker', () => {
  test.for([
    { name: 'plain', provisioning: FORMAT },
    { name: 'everything', provisioning: EVERYTHING },
  ])('$name', async ({ name, provisioning }) => {
    const config = await configOf(provisioning);
    const files = config.write_files.map(
      ({ path, permissions, append }) => `${permissions} ${path}${append === true ? ' appended' : ''}`,
    );
    const { write_files: _files, ...rest } = config;
    const script = stepsOf(await scriptOf(provisioning));
    const text = `${files.join('\n')}\n\n${JSON.stringify(rest, undefined, 2)}\n\n${script}`;
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `golden/${name}.txt`));
  });

  test('has only keys that cloudbase-init knows, and none that causes a reboot', async () => {
    const known = ['groups', 'ntp', 'runcmd', 'timezone', 'users', 'write_files'];
    expect(Object.keys(await configOf(EVERYTHING)).toSorted()).toEqual(known);
  });

  test('starts one program only, because cmd.exe continues after an error', async () => {
    expect((await configOf(EVERYTHING))['runcmd']).toEqual([
      'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:/etc/slipway/bootstrap.ps1',
    ]);
  });

  test('keeps every byte, from plan and claim', async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((values) => Buffer.from(values)),
      fc.string({ unit: 'binary', maxLength: 60 }).map((text) => Buffer.from(text)),
      fc.constantFrom('', '\r\n', 'no end', 'ü\r\n😀', '\ufeffx', '\0').map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(content, content, async (planned, claimed) => {
        const files = [{ path: '/k/claim', content: claimed.toString('base64'), encoding: 'base64' }];
        const config = await configOf({ ...FORMAT, files }, { ...PLAN, files: [aPlanFile('/k/plan', planned)] });
        expect(bytesAt(config, 'C:/k/plan').equals(planned)).toBe(true);
        expect(bytesAt(config, 'C:/k/claim').equals(claimed)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the script', () => {
  test('can be read by Windows PowerShell: marked as UTF-8, with CRLF line endings', async () => {
    const bytes = bytesAt(await configOf(EVERYTHING), 'C:/etc/slipway/bootstrap.ps1');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString().replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('runs commands in their order, and each only if all before it succeeded', async () => {
    const script = await scriptOf(EVERYTHING);
    const places = [
      "Test-Path -LiteralPath 'C:/var/lib/slipway/bootstrap-success.complete'",
      "Invoke-Step 'groups[0]'",
      "Invoke-Step 'users[0]'",
      "Invoke-Step 'files[0]'",
      "Protect-Item 'C:/etc/kubernetes/kubeadm.yaml'",
      "Get-Metadata 'instance-id'",
      "Invoke-Step 'commands.pre[0]'",
      "Invoke-Step 'commands.pre[1]'",
      "Invoke-Step 'kubeadm pre[0]'",
      "Invoke-Once 'kubeadm bootstrap[0]'",
      "Remove-Item -LiteralPath 'C:/etc/kubernetes/kubeadm.yaml'",
      "Invoke-Once 'commands.post[0]'",
      "New-Item -ItemType File -Force -Path 'C:/var/lib/slipway/bootstrap-success.complete'",
    ].map((line) => script.indexOf(line));
    expect(places).not.toContain(-1);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(script).toContain('if ($status -ne 0) { Stop-Boot');
    expect(script.trimEnd().split('\r\n').at(-1)).toMatch(/^New-Item -ItemType File .*complete' \| Out-Null$/);
  });

  test('begins a boot after a failed one with the first command that was not done, once the host is a node', async () => {
    const script = await scriptOf(EVERYTHING);
    const again = script.slice(script.indexOf('if ($script:had -lt 1) {'), script.indexOf('\r\n}\r\nInvoke-Once'));
    // What may run again is in the block, and nothing else.
    expect(again.match(/^Invoke-\w+ '[^']+'/gm)).toEqual(
      expect.arrayContaining([
        "Invoke-Step 'files[0]'",
        "Invoke-Step 'commands.pre[1]'",
        "Invoke-Step 'kubeadm pre[0]'",
      ]),
    );
    expect(script.replace(again, '').match(/^Invoke-\w+ '[^']+'/gm)).toEqual([
      "Invoke-Once 'kubeadm bootstrap[0]'",
      "Invoke-Once 'commands.post[0]'",
    ]);
  });

  test('makes files that only root may read readable by Administrators only, and no others', async () => {
    const guarded = [...(await scriptOf(EVERYTHING)).matchAll(/^Protect-Item '([^']+)' 'F'\r$/gm)].map(
      ([, path]) => path,
    );
    expect(guarded).toEqual(['C:/k/prepare.ps1', 'C:/etc/kubernetes/kubeadm.yaml', 'C:/etc/slipway/bootstrap.ps1']);
  });

  test('treats every command as data, and does not print its text', async () => {
    const command = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
    const plain = (await scriptOf()).split('\r\n').length;
    await fc.assert(
      fc.asyncProperty(command, async (said) => {
        const script = await scriptOf({ ...FORMAT, commands: { pre: [said] } });
        const lines = script.split('\r\n').filter((line) => line.startsWith("Invoke-Step 'commands.pre[0]' "));
        expect(lines).toHaveLength(1);
        expect(script.split('\r\n')).toHaveLength(plain + 1);
        const [, encoded = ''] = /'([A-Za-z0-9+/=]*)'$/.exec(lines[0] ?? '') ?? [];
        expect(Buffer.from(encoded, 'base64').includes(Buffer.from(said))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

describe('what Windows does not support', () => {
  const user = (fields: JsonObject): JsonObject => ({ ...FORMAT, users: [{ name: 'ops', ...fields }] });
  const file = (fields: JsonObject): JsonObject => ({ ...FORMAT, files: [{ path: '/k/a', content: 'x', ...fields }] });
  const CASES: readonly { readonly name: string; readonly provisioning: JsonObject; readonly plan?: unknown }[] = [
    { name: 'a hash instead of a password', provisioning: user({ passwordHash: '$6$hunter2' }) },
    { name: 'a login shell', provisioning: user({ shell: '/bin/bash' }) },
    { name: 'a sudo rule', provisioning: user({ sudo: 'ALL=(ALL) NOPASSWD:ALL' }) },
    { name: 'a group id', provisioning: { ...FORMAT, groups: [{ name: 'app', gid: 1500 }] } },
    { name: 'an owner', provisioning: file({ owner: 'ops:ops' }) },
    { name: 'permissions for a group', provisioning: file({ mode: '0640' }) },
    { name: 'a path with a drive', provisioning: file({ path: '/C:/k/a' }) },
    {
      name: 'one path twice, in other case',
      provisioning: {
        ...FORMAT,
        files: [
          { path: '/k/a', content: 'x' },
          { path: '/K/A', content: 'x' },
        ],
      },
    },
    { name: 'packages', provisioning: { ...FORMAT, packages: ['nfs'] } },
    { name: 'kernel parameters', provisioning: { ...FORMAT, sysctls: { a: '1' } } },
    { name: 'units', provisioning: { ...FORMAT, units: [{ name: 'a.service', enabled: true }] } },
    { name: 'a proxy', provisioning: { ...FORMAT, proxy: { http: 'http://proxy.example.com' } } },
    {
      name: 'raw keys, which cloudbase-init ignores when unknown',
      provisioning: { ...FORMAT, raw: { 'cloudbase-init': { set_hostname: 'a' } } },
    },
    { name: 'a plan for Linux', provisioning: FORMAT, plan: aPlan() },
    { name: 'a plan for Windows in a Linux format', provisioning: { format: 'cloud-init' } },
  ];

  test('is refused in one line that says what to do, without a secret', async () => {
    const lines = await Promise.all(
      CASES.map(async ({ name, provisioning, plan = PLAN }) => {
        const { code, message } = await refused(provisioning, plan);
        expect(message, name).toMatch(/^cannot accept [^\n]+; accepted: [^\n]+$/);
        expect(message).not.toContain('hunter2');
        return `${name}\n  ${code}: ${message}\n`;
      }),
    );
    await expect(lines.join('')).toMatchFileSnapshot(join(import.meta.dirname, 'golden/refusals.txt'));
  });
});
