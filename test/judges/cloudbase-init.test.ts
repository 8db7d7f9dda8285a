/** First-boot data of Windows workers: read by cloudbase-init itself, and by PowerShell if it is installed. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { plansOf } from '../../functions/bootstrap/plans.fixture.ts';
import { firstBoot } from '../support/first-boot.ts';
import { cloudbaseInit, doneWith } from './cloudbase-init.ts';
import { isInstalled } from './run.ts';

const CUSTOMISATIONS = {
  'the minimum': {},
  everything: {
    files: [
      { path: '/k/prepare.ps1', content: "Write-Output 'Zoë’s'\r\n", mode: '0700' },
      { path: '/k/binary', content: 'AAECgP8=', encoding: 'base64' },
    ],
    users: [{ name: 'ops', groups: ['Administrators'], sshAuthorizedKeys: ['ssh-ed25519 AAAAfake zoë'] }],
    groups: [{ name: 'app' }],
    ntp: { servers: ['169.254.169.123'] },
    timezone: 'Europe/Zurich',
    hosts: [{ address: '10.0.0.9', names: ['registry'] }],
    commands: { pre: ['C:/k/prepare.ps1'], post: ['Write-Output done'] },
  },
};
const CASES = Object.entries(CUSTOMISATIONS).map(([name, customisation]) => ({ name, customisation }));

async function textOf(customisation: object): Promise<string> {
  const kubeadm = plansOf('kubeadm');
  const spec = {
    machine: { class: 'standard-4', os: 'windows' },
    provisioning: { ...customisation, format: 'cloudbase-init' },
  };
  return (await firstBoot(await kubeadm.clusterOf(), kubeadm.machine('worker', {}, spec))).text;
}

const found = cloudbaseInit();
if ('missing' in found) process.stdout.write(`skipped: cloudbase-init on Windows workers: ${found.missing}\n`);

test.skipIf('missing' in found).for(CASES)('cloudbase-init writes every byte: $name', async ({ customisation }) => {
  const text = await textOf(customisation);
  const done = doneWith('path' in found ? found.path : '', text);
  const { write_files: files } = parse(text) as { write_files: readonly { path: string; content: string }[] };
  expect(done.files).toEqual(Object.fromEntries(files.map(({ path, content }) => [path, content])));
  expect(Object.keys(done.files)).toContain('C:/etc/kubernetes/kubeadm.yaml');
});

test.skipIf('missing' in found).for(CASES)('it ignores no key, and runs one program last: $name', async (given) => {
  const done = doneWith('path' in found ? found.path : '', await textOf(given.customisation));
  expect(done.unknown).toEqual([]);
  expect([done.order.at(0), done.order.at(-1)]).toEqual(['write_files', 'runcmd']);
  expect(done.script.trim().split('\n')).toEqual([
    'rem cmd',
    'powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:/etc/slipway/bootstrap.ps1',
  ]);
});

test.skipIf('missing' in found)('it ignores keys that it does not know', () => {
  const done = doneWith(
    'path' in found ? found.path : '',
    '#cloud-config\nwrite_files: []\nruncmd: []\npackages: [a]\n',
  );
  expect(done.unknown).toEqual(['packages']);
});

const pwsh = isInstalled('pwsh');
if (!pwsh) process.stdout.write('skipped: PowerShell on the script of Windows workers: pwsh is not installed\n');

test.skipIf(!pwsh).for(CASES)('PowerShell can parse the script: $name', async ({ customisation }) => {
  const { write_files: files } = parse(await textOf(customisation)) as {
    write_files: readonly { path: string; content: string }[];
  };
  const script = files.find(({ path }) => path.endsWith('bootstrap.ps1'))?.content ?? '';
  const check = `$e = $null; $t = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${script}')).TrimStart([char]0xfeff); [void][Management.Automation.Language.Parser]::ParseInput($t, [ref]$null, [ref]$e); $e; exit $e.Count`;
  const { status, stdout } = spawnSync('pwsh', ['-NoProfile', '-Command', check], { encoding: 'utf8' });
  expect([status, stdout.trim()]).toEqual([0, '']);
});
