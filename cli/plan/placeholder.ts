/** An endpoint that a Composition has as it was shipped, in a domain that is reserved for examples (RFC 2606, RFC 6761). */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';

const RESERVED = /(^|\.)(example\.(com|net|org)|example|invalid|test)\.?$/i;

/** What is noted of a Cluster with the status that it gets; undefined: its claim names the endpoint, or DNS may have it. */
export function placeholderNote(cluster: KubeObject): string | undefined {
  const host = stringAt(cluster.status, 'controlPlaneEndpoint', 'host') ?? '';
  if (at(cluster.spec, 'controlPlane', 'endpoint') !== undefined || !RESERVED.test(host)) return undefined;
  return `its endpoint ${host} is a placeholder of the Composition, which no DNS has: name yours in spec.controlPlane.endpoint`;
}
