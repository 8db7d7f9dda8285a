/** slipway render prints what Crossplane would apply for one claim. */
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { slipway } from './slipway.ts';

describe('slipway render', () => {
  it('prints the XR first and then what Crossplane would apply', async () => {
    const { code, stdout } = await slipway(
      'render',
      'examples/aws/cluster.yaml',
      'compositions/aws/cluster.yaml',
      '--now',
      '2026-01-01T00:00:00Z',
    );
    expect(code).toBe(0);
    const kinds = parseAllDocuments(stdout).map((document) => (document.toJS() as { kind: string }).kind);
    expect(kinds[0]).toBe('Cluster');
    expect(kinds.filter((kind) => kind === 'Subnet')).toHaveLength(6);
  });

  it('prints values of Secrets only when the user asks for them', async () => {
    const args = ['render', 'examples/aws/cluster.yaml', 'compositions/aws/cluster.yaml'];
    const { stdout, stderr } = await slipway(...args);
    expect(stdout).toContain('tls.key: masked');
    expect(stdout).toMatch(/tls\.crt: LS0tLS1/);
    expect(stdout).not.toMatch(/tls\.key: LS0tLS1/);
    expect(stderr).toContain('use --show-secrets');
    expect((await slipway(...args, '--show-secrets')).stdout).toMatch(/tls\.key: LS0tLS1/);
  });

  it('refuses a Composition for another kind', async () => {
    const { code, stderr } = await slipway('render', 'examples/aws/cluster.yaml', 'compositions/aws/machine.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('it is for slipway.dev/v1alpha1 Machine, not for slipway.dev/v1alpha1 Cluster');
  });
});
