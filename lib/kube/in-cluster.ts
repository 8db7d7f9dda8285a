/** The API of the cluster that a pod runs in, with the token of its service account, which changes within the hour. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SlipwayError } from '#lib/api/errors.ts';
import type { Endpoint } from './endpoint.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Undefined outside a pod. Throws SlipwayError Unavailable in a pod without a service account. */
export function inCluster(
  env: Readonly<Record<string, string | undefined>>,
  folder: string = FOLDER,
): Endpoint | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host === undefined || port === undefined) return undefined;
  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), 'utf8').trim();
    } catch (cause) {
      throw new SlipwayError('Unavailable', `cannot read "${join(folder, name)}": the pod has no service account`, {
        cause,
      });
    }
  };
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    credentials: {
      ca: read('ca.crt'),
      // Read for every request: the kubelet replaces the file before its token expires.
      get headers() {
        return { authorization: `Bearer ${read('token')}` };
      },
    },
  };
}
