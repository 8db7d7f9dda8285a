/**
 * cloud-init runs what the boot stub of AWS writes as if it had been user data. How the stub fetches it is tested
 * beside the stub.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { HANDED_OVER_PATH } from '#lib/api/contracts/payload.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { bootStub } from '#clouds/aws/machine/boot-stub.ts';
import { FORGET } from '../../functions/provisioning/cloud-init/forget.ts';
import { EVERY_PROVISIONING } from '../support/everything.ts';
import { aBootstrappedCluster, firstBoot, machineOf } from '../support/first-boot.ts';
import { bootedConfig } from './cloud-init-boot.ts';
import { CLOUD_INIT_RELEASES, cloudInitOf } from './cloud-init.ts';
import { runCommand } from './run.ts';

let root = '';
let payload = '';

beforeAll(async () => {
  const cluster = await aBootstrappedCluster({ initialized: false });
  payload = (await firstBoot(cluster, machineOf('init', { provisioning: EVERY_PROVISIONING }))).text;
});
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'slipway-judge-'))));
afterEach(() => rmSync(root, { recursive: true }));

/** The stub, with the disk in this folder and the secret available. */
function stub(): string {
  const secret = join(root, 'secret');
  writeFileSync(secret, payload);
  const changes = {
    '"/var/lib/cloud': `"${root}/var/lib/cloud`,
    '"/etc/cloud': `"${root}/etc/cloud`,
    'data = fetched()': `data = open("${secret}", "rb").read()`,
    'call("DeleteSecret", {"ForceDeleteWithoutRecovery": True})': `os.remove("${secret}")`,
  };
  const place = { region: 'eu-west-1', host: 'secretsmanager.example.com', secret: 'fake' };
  return Object.entries(changes).reduce(
    (text, [there, instead]) => {
      expect(text).toContain(there);
      return text.replaceAll(there, instead);
    },
    Buffer.from(bootStub(place)).toString(),
  );
}

const asked = (config: JsonObject): JsonObject => {
  const wanted = parse(payload) as JsonObject;
  return Object.fromEntries(Object.keys(wanted).map((key) => [key, config[key]]));
};

describe.for(CLOUD_INIT_RELEASES)('cloud-init of Debian %s', (release) => {
  const found = cloudInitOf(release);
  if ('missing' in found) process.stdout.write(`skipped: cloud-init of Debian ${release}: ${found.missing}\n`);
  const boot = (instance: string, userData = stub()) => bootedConfig(found as never, root, instance, userData);

  test.skipIf('missing' in found)('runs the secret as if it had been user data', () => {
    const direct = asked(boot('i-0', payload));
    expect(direct).toEqual(parse(payload));
    expect(asked(boot('i-1'))).toEqual(direct);
  });

  test.skipIf('missing' in found)('runs it on later boots too, when the secret is gone', () => {
    const userData = stub();
    boot('i-0', userData);
    expect(asked(boot('i-0', userData))).toEqual(parse(payload));
  });

  test.skipIf('missing' in found)('keeps no copy of the files once the script has succeeded', () => {
    boot('i-0');
    const copies = () =>
      readdirSync(join(root, 'run'))
        .filter((name) => name.endsWith('.json'))
        .filter((name) => /"write_files"|"runcmd"/.test(readFileSync(join(root, 'run', name), 'utf8')));
    // The older release keeps its copy with its command, which cloud-init-run.test.ts runs.
    expect(copies().length > 0).toBe(release === 'sid');
    const command = FORGET.command
      .replaceAll(HANDED_OVER_PATH, join(root, HANDED_OVER_PATH))
      .replaceAll('/run/cloud-init', join(root, 'run'))
      .replace(/"\$\(command -v python3[^"]*"/, 'python' in found ? found.python : '');
    expect(runCommand('sh', ['-c', command])).toMatchObject({ ok: true });
    expect(copies()).toEqual([]);
    expect(boot('i-0')).not.toHaveProperty('write_files');
  });

  test.skipIf('missing' in found)('runs none of it on another instance that was created from the disk', () => {
    boot('i-0');
    expect(boot('i-1', '#cloud-config\nhostname: other\n')).toMatchObject({ hostname: 'other' });
    expect(boot('i-2', '#cloud-config\n')).not.toHaveProperty('write_files');
  });
});
