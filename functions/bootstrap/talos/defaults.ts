/** The defaults that Talos writes into the configuration of a new cluster, and recommends to others. */
import type { JsonObject } from '#lib/api/json.ts';

/** Baseline for every namespace except kube-system. */
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

/** Load balancers check the health of an API server anonymously. */
export const AUTHENTICATION: JsonObject = {
  anonymous: { enabled: true, conditions: ['/livez', '/readyz', '/healthz'].map((path) => ({ path })) },
  jwt: [],
};

/** Port on each machine where its pods reach the Kubernetes API, on any available control plane. */
export const KUBE_PRISM_PORT = 7445;

export const DISCOVERY_SERVICE = 'https://discovery.talos.dev/';

const REGISTRY = 'registry.k8s.io';

/** @param version  such as v1.37.1 */
export function componentImage(component: string, version: string): string {
  return `${REGISTRY}/${component}:${version}`;
}
