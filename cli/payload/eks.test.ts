/** `slipway payload` for EKS nodes: it masks every secret of a claim, also in encoded or nested data. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aBottlerocketPlan, aNodeadmPlan, rendered } from '../../functions/provisioning/plan.fixture.ts';
import { decodePayload } from './decode.ts';
import { firstBootMask } from './mask.ts';

const SECRET = 'hunter2';
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const shown = (text: string, format: string, showSecrets = false): string =>
  decodePayload(Buffer.from(text), format, showSecrets ? undefined : firstBootMask([])).text;

describe('user data of nodeadm', () => {
  const files = [{ path: '/etc/app.conf', content: `password = ${SECRET}\r\n` }];
  const containerd = { config: `[plugins.x]\npassword = "${SECRET}"\n` };
  const environment = { default: { API_TOKEN: SECRET } };
  const config = { kind: 'NodeConfig', spec: { containerd, instance: { environment } } };
  const text = () => rendered({ format: 'nodeadm', files }, aNodeadmPlan({ config }));

  test('shows each part as text with its secrets masked', async () => {
    const readable = shown(await text(), 'nodeadm');
    expect(readable).toContain('Content-Type: application/node.eks.aws\n\nkind: NodeConfig\n');
    expect(readable).toContain('path: "/etc/app.conf"');
    expect(readable).toContain('[plugins.x]\n');
    expect(readable).not.toContain(SECRET);
    expect(readable).not.toContain(encoded(files[0]!.content));
    expect(readable).toMatch(/^--slipway-[0-9a-f]{32}--$/m);
  });

  test('shows secrets when the user asks for them', async () => {
    expect(shown(await text(), 'nodeadm', true).match(/hunter2/g)).toHaveLength(3);
  });
});

describe('user data of Bottlerocket', () => {
  const settings = (userData: string): JsonObject => ({
    'container-registry': { credentials: [{ registry: 'docker.io', auth: encoded(SECRET), password: SECRET }] },
    'bootstrap-containers': { a: { 'user-data': userData } },
  });
  const text = (userData: string) =>
    rendered({ format: 'bottlerocket', raw: { bottlerocket: settings(userData) } }, aBottlerocketPlan());

  test('masks credentials, also in the user data of a container', async () => {
    const readable = shown(await text(encoded(`team: blue\npassword: ${SECRET}\n`)), 'bottlerocket');
    expect(readable).toContain('team: blue');
    expect(readable).not.toContain(SECRET);
    expect(readable).not.toContain(encoded(SECRET));
  });

  test('does not show user data that is not text', async () => {
    const userData = Buffer.from([0xff, 0xfe, 1]).toString('base64');
    expect(shown(await text(userData), 'bottlerocket')).toContain('user-data = "masked, 3 bytes"');
    expect(shown(await text(userData), 'bottlerocket', true)).toContain(userData);
  });
});
