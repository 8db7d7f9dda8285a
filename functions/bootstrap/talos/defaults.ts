/** What Talos itself writes into a new cluster's configuration and asks others to write, too. */
import type { JsonObject } from '#lib/api/json.ts';

/** Baseline for everybody but kube-system. */
export const POD_SECURITY: JsonObject = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1alpha1',
  kind: 'PodSecurityConfiguration',
  defaults: {
    enforce: 'baseline',
    'enforce-version': 'latest',
    audit: 'restricted',
    'audit-version': 'latest',
    warn: 'restricted',
    'warn-version': 'latest',
  },
  exemptions: { namespaces: ['kube-system'], runtimeClasses: [], usernames: [] },
};

export const AUDIT_POLICY: JsonObject = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'Metadata' }],
};

/** Load balancers ask without a name whether an API server is well. */
export const AUTHENTICATION: JsonObject = {
  anonymous: { enabled: true, conditions: ['/livez', '/readyz', '/healthz'].map((path) => ({ path })) },
  jwt: [],
};

/** Port of each machine at which its own pods reach the Kubernetes API, whichever control plane is up. */
export const KUBE_PRISM_PORT = 7445;

export const DISCOVERY_SERVICE = 'https://discovery.talos.dev/';

const REGISTRY = 'registry.k8s.io';

/** @param version  such as v1.35.4 */
export function componentImage(component: string, version: string): string {
  return `${REGISTRY}/${component}:${version}`;
}
