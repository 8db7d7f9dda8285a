/**
 * A third-party bootstrapper as a composition function. It replaces function-bootstrap in the pipeline of a Machine and
 * only needs the contract "bootstrap plan" of Slipway (docs/contracts): it imports no file of Slipway. Run it with
 * node examples/third-party/bootstrapper.ts --insecure --address 127.0.0.1:9443
 */
import {
  type ComposeFunction,
  fatal,
  fromCompose,
  getObservedCompositeResource,
  requireResource,
  getRequiredResource,
  serve,
  setContextKey,
} from '@crossplane-org/function-sdk-typescript';

interface Machine {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly version: string;
    readonly role: string;
    readonly clusterRef: { readonly name: string };
    readonly bootstrap: { readonly action?: string; readonly config?: { readonly channel?: string } };
  };
}

interface Cluster {
  readonly status?: {
    readonly controlPlaneEndpoint?: { readonly host: string; readonly port: number };
    readonly controlPlane?: { readonly initialized?: boolean };
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const compose: ComposeFunction = (request, response) => {
  const machine = getObservedCompositeResource(request)?.resource as unknown as Machine;
  const { metadata, spec } = machine;
  // The payload is created once: after that there are no more plans.
  if (request.observed?.resources['payload'] !== undefined) return response;
  requireResource(response, 'cluster', {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Cluster',
    namespace: metadata.namespace,
    matchName: spec.clusterRef.name,
  });
  const [[found]] = getRequiredResource(request, 'cluster');
  const cluster = found?.resource as Cluster | undefined;
  const endpoint = cluster?.status?.controlPlaneEndpoint;
  const first = spec.bootstrap.action === 'Init';
  // Without a plan the following steps wait; nothing that exists changes.
  if (endpoint === undefined || (!first && cluster?.status?.controlPlane?.initialized !== true)) return response;
  const channel = spec.bootstrap.config?.channel ?? 'stable';
  if (!/^[a-z]+$/.test(channel)) {
    fatal(response, `cannot accept Machine "${metadata.name}": spec.bootstrap.config.channel: accepted: a word`);
    return response;
  }
  const settings = { server: `https://${endpoint.host}:${endpoint.port}`, channel, version: spec.version };
  setContextKey(response, 'slipway.dev/bootstrap-plan', {
    contract: 1,
    kind: 'scripted',
    provider: 'tiny',
    nodeName: metadata.name,
    files: [{ path: '/etc/tiny/config.json', content: base64(`${JSON.stringify(settings)}\n`), mode: '0600' }],
    commands: { bootstrap: [`tiny ${first ? 'start' : 'join'} --role ${spec.role} --config /etc/tiny/config.json`] },
    sentinel: '/var/lib/tiny/joined',
    removeAfterBootstrap: ['/etc/tiny/config.json'],
  });
  return response;
};

serve(fromCompose(compose));
