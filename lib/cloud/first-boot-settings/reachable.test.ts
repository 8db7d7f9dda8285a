/** What nothing could reach is refused, with its field; what resolvers and proxies read is not. */
import { expect, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { refuseUnreachable } from './reachable.ts';

const judge = (settings: JsonObject) => (): void =>
  refuseUnreachable(Provisioning.parse(settings), 'Cluster "team-a/prod"');
const mirrored = (mirror: string): JsonObject => ({ registries: [{ host: 'docker.io', mirrors: [mirror] }] });
const bypassing = (...none: string[]): JsonObject => ({ proxy: { http: 'http://proxy:3128', none } });

test.for([
  { hosts: [{ address: '10.0.0.9', names: ['db', 'Db_1.example.com', 'db.example.com.'] }] },
  { ntp: { servers: ['time.example.com', '169.254.169.123', 'fd00::1', 'fe80::1%eth0', '::ffff:10.0.0.1'] } },
  { proxy: { http: 'http://user:fake@proxy.example.com:3128', https: 'https://[fd00::1]:3128/' } },
  bypassing('*', '.example.com', '*.example.com', 'example.com:8080', '10.0.0.9', '10.0.0.1/8', 'fd00::/8', 'fd00::1'),
  bypassing('10.', '192.168.1', '10.0.0.1/255.255.0.0', 'ec2.*.amazonaws.com'),
  { registries: [{ host: 'registry.example.com:5000', mirrors: ['https://mirror_1.example.com:5000/path'] }] },
])('%j is accepted', (settings) => expect(judge(settings)).not.toThrow());

test.for([
  {
    settings: { hosts: [{ address: '10.0.0.9', names: ['db', 'db..example.com'] }] },
    field: 'hosts[0].names[1]: "db..',
  },
  { settings: { hosts: [{ address: '10.0.0.9', names: ['10.0.0.8'] }] }, field: 'hosts[0].names[0]: "10.0.0.8" ' },
  { settings: { ntp: { servers: ['http://time.example.com'] } }, field: 'ntp.servers[0]: "http://time' },
  { settings: { ntp: { servers: ['a', 'time.example.com:123'] } }, field: 'ntp.servers[1]: "time.example.com:123" ' },
  { settings: { ntp: { servers: ['300.1.1.1'] } }, field: 'ntp.servers[0]: "300.1.1.1" ' },
  { settings: { proxy: { http: 'http://user:fake@proxy:99999' } }, field: 'proxy.http: its value ' },
  { settings: { proxy: { https: 'http:///proxy' } }, field: 'proxy.https: its value ' },
  { settings: bypassing('10.0.0.0/33'), field: 'proxy.none[0]: "10.0.0.0/33" ' },
  { settings: bypassing('a', 'http://example.com'), field: 'proxy.none[1]: "http://example.com" ' },
  { settings: bypassing('registry:99999'), field: 'proxy.none[0]: "registry:99999" ' },
  {
    settings: { registries: [{ host: 'docker.io:99999', mirrors: ['https://m'] }] },
    field: 'registries[0].host: "dock',
  },
  {
    settings: { registries: [{ host: 'docker..io', mirrors: ['https://m'] }] },
    field: 'registries[0].host: "docker..',
  },
  { settings: mirrored('https://mirror.example.com:99999'), field: 'registries[0].mirrors[0]: its value ' },
  { settings: mirrored('https://300.1.1.1'), field: 'registries[0].mirrors[0]: its value ' },
])('$field is refused', ({ settings, field }) => {
  expect(judge(settings)).toThrow(`cannot accept Cluster "team-a/prod": spec.provisioning.${field}`);
  expect(judge(settings)).toThrow(/accepted: .*such as/);
  expect(judge(settings)).not.toThrow(/fake/);
});
