/** Who does not say who they are may ask for health and discover the cluster, through the load balancer as well. */
import { hold } from '../../e2e/cases/case.ts';
import type { Case } from './case.ts';

const ALLOWED = ['/healthz', '/livez', '/readyz', '/api/v1/namespaces/kube-public/configmaps/cluster-info'] as const;

/** RBAC of Kubernetes lets everyone read the first one; the others it refuses with 403 once it knows a name. */
const REFUSED = ['/version', '/api', '/apis', '/api/v1/namespaces/kube-system/secrets', '/metrics'] as const;

const GATEWAY = '10.0.0.1:6443';

export const anonymousCase: Case = {
  name: 'anonymous',
  async run({ arrivals }) {
    const planes = arrivals.map(({ machine }) => machine).filter(({ part }) => part !== 'worker');
    const servers = [...planes.map(({ address }) => `${address}:6443`), GATEWAY];
    const [from] = planes;
    if (from === undefined) throw new Error('no control plane has booted');
    const status = (url: string): Promise<string> =>
      from.exec('python3', '-c', ASK, url, '/etc/kubernetes/pki/ca.crt').then((said) => said.trim());
    for (const server of servers) {
      for (const path of ALLOWED) {
        const said = await status(`https://${server}${path}`);
        hold(`${server} answers ${path} to everyone`, said === '200', said);
      }
      for (const path of REFUSED) {
        const said = await status(`https://${server}${path}`);
        hold(`${server} asks for a name before ${path}`, said === '401', said);
      }
    }
    return `${ALLOWED.length} paths answered, ${REFUSED.length} refused before RBAC, at ${servers.length} addresses`;
  },
};

/** Prints the status code. Machines have the Python of cloud-init. */
const ASK = `
import ssl, sys, urllib.error, urllib.request
try:
    print(urllib.request.urlopen(sys.argv[1], context=ssl.create_default_context(cafile=sys.argv[2]), timeout=20).status)
except urllib.error.HTTPError as refused:
    print(refused.code)
`;
