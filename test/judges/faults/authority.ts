/** A supplied certificate authority whose private key is none. */
import type { Checkout } from './checkout.ts';

/** What the step of a Cluster that runs answers. */
export async function suppliedWithoutKey({ boots, requests, bootstrap }: Checkout): Promise<string> {
  const { cluster, secrets } = await boots.aBootstrappedCluster();
  const { ca, ...ours } = secrets;
  if (ca === undefined) throw new Error('there is no CA');
  const { labels: _labels, ...metadata } = ca.metadata ?? {};
  const data = { ...(ca['data'] as object), 'tls.key': Buffer.from('fake').toString('base64') };
  const required = { ca: [{ ...ca, metadata, data }] };
  await bootstrap(requests.aRequest({ composite: cluster, observed: ours, required }), requests.aWorld());
  return 'accepted';
}
