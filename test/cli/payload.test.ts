/** slipway payload shows what a machine gets on its first boot, without its secrets. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { slipway } from './slipway.ts';
import { file } from './written.ts';

describe('slipway payload', () => {
  let raw = '';
  let secret = '';
  beforeAll(async () => {
    raw = (await slipway('payload', 'examples/aws', '--raw')).stdout;
    const data = { value: Buffer.from(raw).toString('base64'), format: Buffer.from('cloud-config').toString('base64') };
    secret = file(
      'secret.yaml',
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a-payload' }, data }),
    );
  });

  it('prints exactly the bytes that the machine gets with --raw, within the limit of EC2', () => {
    expect(raw.startsWith('#cloud-config\n')).toBe(true);
    expect(Buffer.byteLength(raw)).toBeLessThan(16_384);
  });

  it('shows a cloud-config with the configuration of kubeadm, secrets masked', async () => {
    const { code, stdout } = await slipway('payload', '--secret', secret);
    expect(code).toBe(0);
    expect(stdout.startsWith('#cloud-config\n')).toBe(true);
    expect(stdout).toContain('kind: InitConfiguration');
    expect(stdout).not.toMatch(/PRIVATE KEY-----\n\s*[A-Za-z0-9+/]{20}/);
    expect(stdout).toContain('token: masked');
    const { write_files: files } = parse(stdout) as { write_files: { path: string }[] };
    expect(files.map(({ path }) => path)).toContain('/etc/kubernetes/pki/ca.key');
  });

  it('shows secrets when the user asks for them', async () => {
    const { stdout } = await slipway('payload', '--secret', secret, '--show-secrets');
    expect(stdout).toMatch(/PRIVATE KEY-----\n\s*[A-Za-z0-9+/]{20}/);
    expect(stdout).toMatch(/token: [a-z0-9]{6}\.[a-z0-9]{16}\n/);
  });
});
