/**
 * cloud-init runs what the boot stub of AWS writes as if it had been user data. How the stub fetches it is tested
 * beside the stub.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import { bootStub } from '#clouds/aws/machine/boot-stub.ts';
import { EVERY_PROVISIONING } from '../support/everything.ts';
import { aBootstrappedCluster, firstBoot, machineOf } from '../support/first-boot.ts';
import { bootedConfig } from './cloud-init-boot.ts';
import { CLOUD_INIT_RELEASES, cloudInitOf } from './cloud-init.ts';

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

  test.skipIf('missing' in found)('runs none of it on another instance that was created from the disk', () => {
    boot('i-0');
    expect(boot('i-1', '#cloud-config\nhostname: other\n')).toMatchObject({ hostname: 'other' });
    expect(boot('i-2', '#cloud-config\n')).not.toHaveProperty('write_files');
  });
});
