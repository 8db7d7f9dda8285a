/** The API of the cluster that this process runs in, with the service account of its pod. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Endpoint } from './endpoint.ts';
import { REAL_TIME, type Timing } from './timing.ts';

/** Where the kubelet puts the files. */
const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Seconds. A token is valid for an hour, and replaced in its file when 80 % of that are over. */
const KEPT = 60;

export interface InClusterParts {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  readonly timing?: Timing;
}

/** Throws SlipwayError Unavailable outside of a pod. */
export function inClusterEndpoint({
  env = process.env,
  folder = FOLDER,
  timing = REAL_TIME,
}: InClusterParts = {}): Endpoint {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host === undefined || port === undefined)
    throw new SlipwayError(
      'Unavailable',
      'cannot find the Kubernetes API: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set',
    );
  const server = `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const token = tokenIn(`${folder}/token`, timing);
  token();
  return { server, credentials: { ca: fileAt(`${folder}/ca.crt`), minVersion: 'TLSv1.2' }, token };
}

/** Reads the file again from time to time; while it cannot be read, the last token is used. */
function tokenIn(path: string, timing: Timing): () => string {
  let known: { readonly token: string; readonly at: number } | undefined;
  return () => {
    if (known !== undefined && timing.elapsed() - known.at < KEPT * 1000) return known.token;
    try {
      known = { token: fileAt(path).trim(), at: timing.elapsed() };
    } catch (thrown) {
      if (known === undefined) throw thrown;
    }
    return known.token;
  };
}

function fileAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const why = missing ? 'no such file' : 'it cannot be read';
    throw new SlipwayError('Unavailable', `cannot read the service account "${path}": ${why}`, { cause });
  }
}
