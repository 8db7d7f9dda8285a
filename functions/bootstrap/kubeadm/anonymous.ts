/**
 * Who need not say who they are to an API server: health checks, machines that discover the cluster before they join,
 * and whoever reads the keys of service accounts, if RBAC allows it. Everything else is refused before RBAC.
 */
import { minor } from 'semver';
import { yamlDocument } from '#lib/api/yaml.ts';
import type { Flags } from '../claim-config.ts';
import { AUTHENTICATING_FLAG, traits } from './traits.ts';

export const AUTHENTICATION_FILE = '/etc/kubernetes/authentication.yaml';

const PATHS = [
  '/healthz',
  '/livez',
  '/readyz',
  // kubeadm join reads it, and verifies it with the token and the pinned public key.
  '/api/v1/namespaces/kube-public/configmaps/cluster-info',
  // For other systems that accept tokens of service accounts.
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
] as const;

const SINCE = traits.minors.since;

/** @param version  of Kubernetes @param flags  of the API server in the claim */
export function limitsAnonymous(version: string, flags: Flags): boolean {
  return (
    minor(version) >= SINCE['anonymous requests by path'] &&
    !Object.keys(flags).some((flag) => AUTHENTICATING_FLAG.test(flag))
  );
}

export function authentication(version: string): string {
  return yamlDocument({
    apiVersion: `apiserver.config.k8s.io/${minor(version) >= SINCE['AuthenticationConfiguration v1'] ? 'v1' : 'v1beta1'}`,
    kind: 'AuthenticationConfiguration',
    anonymous: { enabled: true, conditions: PATHS.map((path) => ({ path })) },
  });
}
