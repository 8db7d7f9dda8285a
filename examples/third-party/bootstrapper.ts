/**
 * A third-party bootstrapper as a composition function, for claims with `bootstrap.provider: tiny`. It replaces
 * function-bootstrap in the pipelines of Cluster and Machine and only needs the contract "bootstrap plan" of Slipway
 * (docs/contracts): it imports no file of Slipway. Run it with
 * node examples/third-party/bootstrapper.ts --insecure --address 127.0.0.1:9443
 */
import {
  type ComposeFunction,
  type RunFunctionRequest,
  type RunFunctionResponse,
  fatal,
  fromCompose,
  getObservedCompositeResource,
  requireResource,
  getRequiredResource,
  serve,
  setContextKey,
} from '@crossplane-org/function-sdk-typescript';

/** Its name in claims. Nothing else registers it: the step that is called decides which names it knows. */
const PROVIDER = 'tiny';

interface Composite {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly bootstrap: { readonly provider: string } };
}

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
  const composite = getObservedCompositeResource(request)?.resource as unknown as Composite;
  const { kind, metadata, spec } = composite;
  const { provider } = spec.bootstrap;
  if (provider !== PROVIDER) {
    const owner = `${kind} "${metadata.namespace}/${metadata.name}"`;
    const cause = `spec.bootstrap.provider: "${provider}" is not accepted; accepted: ${PROVIDER}`;
    fatal(response, `cannot accept ${owner}: ${cause}`);
    return response;
  }
  // A Cluster of this provider has no keys that its machines share: they come with the image.
  return kind === 'Machine' ? plan(request, response, composite as unknown as Machine) : response;
};

function plan(request: RunFunctionRequest, response: RunFunctionResponse, machine: Machine): RunFunctionResponse {
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
    fatal(
      response,
      `cannot accept Machine "${metadata.namespace}/${metadata.name}": spec.bootstrap.config.channel: accepted: a word`,
    );
    return response;
  }
  const settings = { server: `https://${endpoint.host}:${endpoint.port}`, channel, version: spec.version };
  setContextKey(response, 'slipway.dev/bootstrap-plan', {
    contract: 1,
    kind: 'scripted',
    provider: PROVIDER,
    nodeName: metadata.name,
    files: [{ path: '/etc/tiny/config.json', content: base64(`${JSON.stringify(settings)}\n`), mode: '0600' }],
    commands: { bootstrap: [`tiny ${first ? 'start' : 'join'} --role ${spec.role} --config /etc/tiny/config.json`] },
    sentinel: '/var/lib/tiny/joined',
    removeAfterBootstrap: ['/etc/tiny/config.json'],
  });
  return response;
}

serve(fromCompose(compose));
