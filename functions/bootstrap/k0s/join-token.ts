/** A join token in the format of k0s: it can be written before the cluster knows it. */
import { stableGzip } from '#lib/fn/gzip.ts';
import { yamlText } from '#lib/api/yaml.ts';
import { isController, type K0sFacts } from './facts.ts';
import { JOIN_PORT } from './traits.ts';

/**
 * A gzipped kubeconfig in base64; undefined for the machine that starts the cluster. It contains the authority, so a
 * joining machine trusts nothing else.
 */
export function joinToken(facts: K0sFacts): string | undefined {
  const { endpoint, ca, token } = facts;
  if (token === undefined) return undefined;
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
  // Controllers call the API of k0s, workers that of Kubernetes.
  const port = isController(facts) ? JOIN_PORT : endpoint.port;
  // The user that k0s maps the token to.
  const user = isController(facts) ? 'controller-bootstrap' : 'kubelet-bootstrap';
  const kubeconfig = {
    apiVersion: 'v1',
    clusters: [
      {
        cluster: {
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
          server: `https://${host}:${port}`,
        },
        name: 'k0s',
      },
    ],
    contexts: [{ context: { cluster: 'k0s', user }, name: 'k0s' }],
    'current-context': 'k0s',
    kind: 'Config',
    preferences: {},
    users: [{ name: user, user: { token } }],
  };
  return stableGzip(yamlText(kubeconfig)).toString('base64');
}
