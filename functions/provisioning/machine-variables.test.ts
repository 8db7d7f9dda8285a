/**
 * Values of a machine in files, units and commands of a claim: the script runs with the real curl, against a metadata
 * service of each cloud that is a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EC2_METADATA_SERVICE } from '#clouds/aws/metadata-service.ts';
import { AZURE_METADATA_SERVICE } from '#clouds/azure/metadata-service.ts';
import { GCE_METADATA_SERVICE } from '#clouds/gcp/metadata-service.ts';
import type { MetadataService } from '#lib/api/contracts/metadata-service.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { MACHINE_VARIABLES, reference } from '#lib/api/machine-variables.ts';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import { NO_VALUES } from '#lib/fn/secret-values.ts';
import { StandIns } from '../../test/support/stand-ins.ts';
import { CLOUD_INIT_QUERY } from './cloud-init/query.ts';
import { filled } from './filled.ts';
import { shellLookup } from './metadata.ts';
import { aPlan, aPlanFile, rendered } from './plan.fixture.ts';
import type { Order } from './provisioner.ts';
import { script } from './script.ts';

/** Answers as the three services do, and refuses what they refuse. Only /bad has values that are shell code. */
const SERVER = `
const VALUES = {
  '/latest/meta-data/instance-id': 'i-0a', '/latest/meta-data/placement/availability-zone': 'eu-west-1a',
  '/metadata/instance/compute/name': 'prod-1', '/metadata/instance/compute/zone': '2',
  '/computeMetadata/v1/instance/name': 'prod-0', '/computeMetadata/v1/instance/zone': 'projects/1/zones/europe-west1-b',
  '/bad/meta-data/instance-id': '$(touch hacked)', '/bad/meta-data/placement/availability-zone': "a'; touch hacked; '",
};
const server = require('node:http').createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://a');
  const { headers } = request;
  const isSession = headers['x-aws-ec2-metadata-token'] === 'fake-token';
  const isAllowed = pathname.includes('/meta-data/') ? isSession : headers['metadata'] === 'true' || headers['metadata-flavor'] === 'Google';
  if (request.method === 'PUT') return response.end('fake-token');
  response.statusCode = isAllowed && pathname in VALUES ? 200 : 403;
  response.end(response.statusCode === 200 ? VALUES[pathname] : 'no');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

let server: ChildProcess;
let port = '';
let host: StandIns;

beforeAll(async () => {
  server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  port = line.toString().trim();
});
afterAll(() => server.kill());
beforeEach(() => {
  host = new StandIns();
  host.programs('systemctl', 'kubeadm');
  host.program('ip', "echo '192.0.2.1 via 10.0.0.1 dev eth0 src 10.0.0.7 uid 0'");
  host.program('cloud-init', 'case "$2" in v1.instance_id) printf i-0c ;; *) printf zone-c ;; esac');
});
afterEach(() => host.remove());

const ALL = MACHINE_VARIABLES.map(reference).join(' ');
const here = (service: MetadataService): MetadataService => ({
  ...service,
  url: service.url.replace('169.254.169.254', `127.0.0.1:${port}`),
});

function boot(claimed: JsonObject, lookup = CLOUD_INIT_QUERY, order: Partial<Order<'scripted'>> = {}) {
  const customisation = filled(Provisioning.parse(claimed), NO_VALUES);
  const plan = order.plan ?? aPlan({ sentinel: host.at('var/done') });
  return host.run(script({ plan, customisation, owner: 'it', ...order }, lookup));
}

const telling = (text: string): string => `printf '%s' ${text} >'${host.at('told')}'`;
const told = (): string => readFileSync(host.at('told'), 'utf8');

describe('a command has the values of its machine', () => {
  test.for([
    { cloud: 'aws', service: EC2_METADATA_SERVICE, want: 'i-0a eu-west-1a' },
    { cloud: 'azure', service: AZURE_METADATA_SERVICE, want: 'prod-1 2' },
    { cloud: 'gcp', service: GCE_METADATA_SERVICE, want: 'prod-0 europe-west1-b' },
  ])('of the metadata service of $cloud', ({ service, want }) => {
    const ran = boot({ commands: { pre: [telling(`"${ALL}"`)] } }, shellLookup(here(service)), { action: 'Init' });
    expect(ran).toEqual({ status: 0, stderr: '' });
    expect(told()).toBe(`${want} 10.0.0.7 general-0-aaaaa init`);
  });

  test.for(['pre', 'post'])('of cloud-init, in any quotes and without: %s', (when) => {
    for (const quotes of [`'${ALL}'`, `"${ALL}"`, ALL.replaceAll(' ', "' '")]) {
      host.remove();
      host = new StandIns();
      host.programs('kubeadm');
      host.program('ip', "echo '192.0.2.1 dev eth0 src 10.0.0.7 uid 0'");
      host.program('cloud-init', 'case "$2" in v1.instance_id) printf i-0c ;; *) printf zone-c ;; esac');
      expect(boot({ commands: { [when]: [telling(quotes)] } }).stderr).toBe('');
      expect(told()).toBe('i-0c zone-c 10.0.0.7 general-0-aaaaa join');
    }
  });

  test('of IPv6 where there is no other', () => {
    host.program('ip', `[ "$1" = -6 ] || exit 2; echo '2001:db8::1 from :: dev eth0 src fd00::7 metric 1024'`);
    expect(boot({ commands: { pre: [telling(reference('SLIPWAY_ADDRESS'))] } }).stderr).toBe('');
    expect(told()).toBe('fd00::7');
  });
});

test('files of the claim and of the plan, units and drop-ins have the values; what is no reference stays', () => {
  const path = host.at('app.conf');
  const planned = host.at('kubeadm.yaml');
  const text = `address=${reference('SLIPWAY_ADDRESS')} \${OTHER} $5 \\1 &\n`;
  for (const file of [path, planned]) writeFileSync(file, text, { mode: 0o600 });
  const plan = aPlan({
    sentinel: host.at('var/done'),
    files: [aPlanFile(planned, text)],
    commands: { pre: [], bootstrap: [`cp ${planned} ${host.at('seen')}`], post: [] },
  });
  const claimed = filled(Provisioning.parse({ files: [{ path: '/etc/app.conf', content: text }] }), NO_VALUES);
  const customisation = { ...claimed, files: claimed.files.map((file) => ({ ...file, path })) };
  expect(boot({}, CLOUD_INIT_QUERY, { plan, customisation })).toEqual({ status: 0, stderr: '' });
  for (const file of [path, host.at('seen')])
    expect(readFileSync(file, 'utf8')).toBe('address=10.0.0.7 ${OTHER} $5 \\1 &\n');
});

test('units and drop-ins are among the files that get the values', () => {
  const dropIns = [{ name: '10-a.conf', contents: `[Service]\nEnvironment=A=${reference('SLIPWAY_HOSTNAME')}\n` }];
  const units = [
    { name: 'a.service', contents: `[Service]\nExecStart=/bin/a ${reference('SLIPWAY_ACTION')}\n` },
    { name: 'b.service', dropIns },
  ];
  const customisation = filled(Provisioning.parse({ units }), NO_VALUES);
  expect(script({ plan: aPlan(), customisation, owner: 'it' }, CLOUD_INIT_QUERY)).toContain(
    'g" /etc/systemd/system/a.service /etc/systemd/system/b.service.d/10-a.conf',
  );
});

test.for(['SLIPWAY_INSTANCE_ID', 'SLIPWAY_FAILURE_DOMAIN'] as const)(
  'a %s that is shell code stops the boot before any command, and is never run',
  (name) => {
    const bad = here({ ...EC2_METADATA_SERVICE, url: 'http://169.254.169.254/bad' });
    const { status, stderr } = boot({ commands: { pre: [telling(reference(name))] } }, shellLookup(bad));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^slipway: metadata [a-z/-]+: no usable value\n$/);
    expect(host.log).toEqual([]);
  },
);

test('a machine without a route says that it has no address', () => {
  host.program('ip', 'exit 2');
  const { status, stderr } = boot({ commands: { pre: [telling(reference('SLIPWAY_ADDRESS'))] } });
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'slipway: address: no usable value\n' });
});

test('a boot that goes on after the host is a node has the values again', () => {
  const fails = { commands: { post: [`[ -e ${host.at('mended')} ]`, telling(reference('SLIPWAY_ADDRESS'))] } };
  expect(boot(fails).status).toBe(1);
  writeFileSync(host.at('mended'), '');
  expect(boot(fails)).toEqual({ status: 0, stderr: '' });
  expect(told()).toBe('10.0.0.7');
});

test('Windows has them in files and commands, and ends the boot at a value that PowerShell could run', async () => {
  const claimed = { files: [{ path: '/k/app.conf', content: ALL }], commands: { pre: [`echo ${ALL}`] } };
  const plan = aPlan({ os: 'windows' });
  const text = await rendered({ format: 'cloudbase-init', ...claimed }, plan);
  const { write_files: files } = parse(text) as { write_files: readonly { path: string; content: string }[] };
  const whole = Buffer.from(files.find(({ path }) => path.endsWith('.ps1'))?.content ?? '', 'base64').toString();
  for (const name of MACHINE_VARIABLES) {
    expect(whole).toContain(`if ("$${name}" -notmatch '^[A-Za-z0-9._:/-]+$') { Stop-Boot '${name}: no usable value' }`);
    expect(whole).toContain(`$content = $content.Replace('${reference(name)}', $${name})`);
  }
  expect(whole).toMatch(/Invoke-Step 'commands.pre\[0\]' \(Expand-Step '[A-Za-z0-9+/=]+'\)/);
});
