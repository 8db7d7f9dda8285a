/** Certificates with which kubelets and the Kubernetes API serve: approved, and watched. */
import { describe, expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import type { ServingRequest } from '#lib/node/situation.ts';
import { beginner } from './begin.ts';
import type { Ability, Player } from './player.ts';
import { said } from './said.ts';
import { READY } from './scene.ts';

export function describeCertificates(player: Player): void {
  const begin = beginner(player);
  const cannot = (ability: Ability): boolean => !player.abilities.has(ability);

  describe.skipIf(cannot('certificates'))(`${player.name}: a kubelet that asks for a certificate to serve with`, () => {
    const spec = { servingCertificates: { approve: true, names: ['general-0'], addresses: ['10.0.0.7'] } };

    test('gets it for the names and addresses of its machine', async () => {
      const stage = await begin({ node: READY, spec, certificates: { requests: [aRequest()] } });
      expect(stage.events).toEqual(['approved csr-1']);
      expect(at(stage.object(), 'status', 'certificates')).toBeUndefined();
    });

    test('does not get it for another address, which a person has to decide', async () => {
      const requests = [aRequest({ addresses: ['10.0.0.8'] })];
      const stage = await begin({ node: READY, spec, certificates: { requests } });
      expect(stage.events).toEqual([]);
      const why = '10.0.0.8 is not an address of its machine';
      expect(stage.object()?.status).toMatchObject({ certificates: { pending: [{ request: 'csr-1', why }] } });
      expect(said(stage, 'Ready')).toBe('True Available');
    });

    test('is left to others where nobody asked to approve', async () => {
      const stage = await begin({ node: READY, certificates: { requests: [aRequest()] } });
      expect(stage.events).toEqual([]);
    });
  });

  describe.skipIf(cannot('certificates'))(`${player.name}: certificates that expire`, () => {
    test.for([
      ['2026-06-01T00:00:00Z', 'True Valid'],
      [
        '2026-01-20T00:00:00Z',
        'False ExpiresSoon: the certificate with which the Kubernetes API serves expires at 2026-01-20T00:00:00Z',
      ],
      [
        '2025-12-31T00:00:00Z',
        'False Expired: the certificate with which the Kubernetes API serves expired at 2025-12-31T00:00:00Z',
      ],
    ] as const)('at %s are reported on 1 January 2026 as %s', async ([apiServer, expected]) => {
      const kubeletServing = '2026-12-01T00:00:00Z';
      const certificates = { apiServer, kubeletServing, requests: [] };
      const stage = await begin({ node: READY, certificates });
      expect(said(stage, 'CertificatesValid')).toBe(expected);
      expect(stage.object()?.status).toMatchObject({ certificates: { apiServer, kubeletServing } });
      expect(said(stage, 'Ready'), 'the Node still works').toBe('True Available');
    });
  });
}

function aRequest(parts: Partial<ServingRequest> = {}): ServingRequest {
  const kubelet = 'system:node:general-0';
  return {
    name: 'csr-1',
    uid: 'csr-uid',
    signer: 'kubernetes.io/kubelet-serving',
    username: kubelet,
    groups: ['system:nodes', 'system:authenticated'],
    usages: ['digital signature', 'server auth'],
    subject: { commonName: kubelet, organizations: ['system:nodes'] },
    names: ['general-0'],
    addresses: ['10.0.0.7'],
    others: 0,
    ...parts,
  };
}
