/** Approves a request; the signer of the cluster then issues the certificate. */
import { at, type Json } from '#lib/api/json.ts';
import type { KubeClient } from '#lib/kube/client.ts';
import { MANAGER } from '../kinds.ts';
import { isPending, REQUESTS } from './request.ts';

/** Only the request of the uid, and only if nobody has decided about it. Throws KubeRefusal, Unreachable. */
export async function approve(client: KubeClient, name: string, uid: string): Promise<void> {
  const request = await client.find(REQUESTS, { name });
  if (request === undefined || request.metadata?.uid !== uid || !isPending(request)) return;
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'AddressesOfMachine',
    message: 'provider-node: it names only names and addresses that the cloud gave the machine',
  };
  const conditions = [...((at(request, 'status', 'conditions') ?? []) as readonly Json[]), condition];
  const body = { ...request, status: { ...request.status, conditions } };
  const write = { manager: MANAGER, subresource: 'approval' };
  await client.put(REQUESTS, { name }, write, body, `approve CertificateSigningRequest "${name}"`);
}
