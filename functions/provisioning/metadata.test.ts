import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EC2_METADATA_SERVICE } from '#clouds/aws/metadata-service.ts';
import { MetadataService } from '#lib/api/contracts/metadata-service.ts';
import { StandIns } from '../../test/support/stand-ins.ts';
import { metadataServiceOf, powerShellLookup, powerShellValue, shellLookup } from './metadata.ts';
import { aPlan } from './plan.fixture.ts';

/** Answers without a token, and reports a zone with its full path. */
const GCE = MetadataService.parse({
  url: 'http://metadata.google.internal/computeMetadata/v1',
  headers: { 'Metadata-Flavor': 'Google' },
  root: 'instance',
  values: { instanceId: { path: 'name' }, failureDomain: { path: 'zone', lastPart: true } },
});

const AZURE = MetadataService.parse({
  url: 'http://169.254.169.254/metadata',
  headers: { Metadata: 'true' },
  root: 'instance/compute',
  query: 'api-version=2021-02-01&format=text',
  values: { instanceId: { path: 'name' }, failureDomain: { path: 'zone' } },
});

let host: StandIns;

beforeEach(() => {
  host = new StandIns();
  host.program(
    'curl',
    `case "$*" in
  *'Metadata-Flavor: Google'*/computeMetadata/v1/instance/name) printf 'prod-0' ;;
  *'Metadata-Flavor: Google'*/computeMetadata/v1/instance/zone) printf 'projects/1/zones/europe-west1-b' ;;
  *'Metadata: true'*'/metadata/instance/compute/name?api-version=2021-02-01&format=text') printf 'prod-1' ;;
  *'Metadata: true'*'/metadata/instance/compute/zone?api-version=2021-02-01&format=text') printf '2' ;;
  *PUT*'X-aws-ec2-metadata-token-ttl-seconds: 300'*/latest/api/token) printf 'fake-token' ;;
  *'X-aws-ec2-metadata-token: fake-token'*/latest/meta-data/instance-id) printf 'i-0a' ;;
  *'X-aws-ec2-metadata-token: fake-token'*/latest/meta-data/placement/availability-zone) printf 'eu-west-1a' ;;
  *) exit 22 ;;
esac`,
  );
});

afterEach(() => host.remove());

describe('a shell script queries the metadata service of its cloud', () => {
  test.for([
    { name: 'AWS', service: EC2_METADATA_SERVICE, want: 'i-0a eu-west-1a' },
    { name: 'GCE', service: GCE, want: 'prod-0 europe-west1-b' },
    { name: 'Azure', service: AZURE, want: 'prod-1 2' },
  ])('$name', ({ service, want }) => {
    const { functions, commands } = shellLookup(service);
    const script = `#!/bin/sh\nset -eu\n${functions}printf '%s %s' "$(${commands.instanceId})" "$(${commands.failureDomain})" >'${host.at('told')}'\n`;
    host.run(script);
    expect(readFileSync(host.at('told'), 'utf8')).toBe(want);
  });
});

describe('PowerShell queries the metadata service of its cloud', () => {
  test('AWS: with a session token', () => {
    const text = powerShellLookup(EC2_METADATA_SERVICE);
    expect(text).toContain(`-Uri "$service/api/token" -Headers @{ 'X-aws-ec2-metadata-token-ttl-seconds' = '300' }`);
    expect(text).toContain(`-Uri "$service/meta-data/$name" -Headers @{ 'X-aws-ec2-metadata-token' = $token }`);
    expect(powerShellValue(EC2_METADATA_SERVICE.values.instanceId)).toBe("Get-Metadata 'instance-id'");
  });

  test('GCE: without a token, and with the last part of the zone', () => {
    const text = powerShellLookup(GCE);
    expect(text).not.toContain('$token');
    expect(text).toContain(`-Uri "$service/instance/$name" -Headers @{ 'Metadata-Flavor' = 'Google' }`);
    expect(powerShellValue(GCE.values.failureDomain)).toBe("(Get-Metadata 'zone').Split('/')[-1]");
  });

  test('Azure: with a query string', () => {
    expect(powerShellLookup(AZURE)).toContain(
      `-Uri "$service/instance/compute/$name\`?api-version=2021-02-01&format=text"`,
    );
  });
});

test('a plan without a metadata service is for a machine on AWS, like every plan before the field existed', () => {
  expect(metadataServiceOf(aPlan())).toEqual(EC2_METADATA_SERVICE);
  expect(metadataServiceOf(aPlan({ metadataService: GCE }))).toEqual(GCE);
});

test.for([
  { name: 'an address', service: { ...GCE, url: 'http://a/$(reboot)' } },
  { name: 'a path', service: { ...GCE, root: 'a"; reboot; "' } },
  { name: 'a query', service: { ...GCE, query: 'a=`reboot`' } },
  { name: 'a header', service: { ...GCE, headers: { Metadata: "'; reboot; '" } } },
  { name: 'the name of a header', service: { ...GCE, headers: { '$(reboot)': 'a' } } },
])('$name that a shell would run as a command is not accepted', ({ service }) => {
  expect(MetadataService.safeParse(service).success).toBe(false);
});
