/** What a made-up release after this one, or before it, left behind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';

type Change = (request: Request) => Request;

const LABELS = { 'slipway.dev/cluster': 'prod', 'cluster.x-k8s.io/cluster-name': 'prod' };

function labelled(apiVersion: string, kind: string, name: string, fields: JsonObject): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: 'team-a', labels: LABELS }, ...fields };
}

const adding =
  (key: string, resource: KubeObject): Change =>
  (request) => {
    const { observed } = request;
    const resources = new Map([...observed.resources, [key, { resource, connectionDetails: {} }] as const]);
    return { ...request, observed: { ...observed, resources } };
  };

/** What the next release adds, by its kind. */
export const NEXT = {
  'a Secret': adding(
    'audit-ca',
    labelled('v1', 'Secret', 'prod-audit', { type: 'Opaque', data: { 'tls.key': 'ZmFrZQ==' }, immutable: true }),
  ),
  'an object': adding(
    'audit-policy',
    labelled('audit.slipway.dev/v1alpha1', 'Policy', 'prod-audit', { spec: { level: 'Metadata' } }),
  ),
  'an object of the cloud': adding(
    'log-group',
    labelled('cloudwatchlogs.aws.m.upbound.io/v1beta1', 'Group', 'prod-logs', { spec: { forProvider: {} } }),
  ),
  'a rule': adding(
    'ingress-controlplane-audit-node',
    labelled('ec2.aws.m.upbound.io/v1beta1', 'SecurityGroupIngressRule', 'prod-audit', {
      spec: { forProvider: { fromPort: 7443 } },
    }),
  ),
  'a rule whose name begins like one of ours': adding(
    'ingress-controlplane-etcd-metrics-node',
    labelled('ec2.aws.m.upbound.io/v1beta1', 'SecurityGroupIngressRule', 'prod-etcd-metrics', {
      spec: { forProvider: { fromPort: 2381 } },
    }),
  ),
  'a field of the status': (request) => withStatus(request, { audit: { ready: true } }),
  'a field of an object': (request) => eachObject(request, (object) => ({ ...object, next: { added: true } })),
  'an API version': (request) =>
    eachObject(request, (object) => ({
      ...object,
      apiVersion: object.apiVersion.replace(/(?<=upbound\.io|slipway\.dev)\/v1(alpha|beta)1$/, '/v1beta2'),
    })),
} as const satisfies Readonly<Record<string, Change>>;

export type Addition = keyof typeof NEXT;

/** The release before did not have an object yet: it does not exist, and the status does not mention it. */
export function without(request: Request, key: string): Request {
  const { observed } = request;
  const resources = new Map([...observed.resources].filter(([name]) => name !== key));
  return { ...request, observed: { ...observed, resources } };
}

export function withStatus(request: Request, fields: JsonObject): Request {
  const { observed } = request;
  const composite = { ...observed.composite, status: { ...observed.composite.status, ...fields } };
  return { ...request, observed: { ...observed, composite } };
}

function eachObject(request: Request, change: (object: KubeObject) => KubeObject): Request {
  const { observed } = request;
  const resources = [...observed.resources].map(
    ([key, value]) => [key, { ...value, resource: change(value.resource) }] as const,
  );
  return { ...request, observed: { ...observed, resources: new Map(resources) } };
}
