/**
 * DaemonSet `k8sd-proxy`: provider-node reaches k8sd by port-forwards to its pods, because k8sd listens only on the
 * address of its host. Name, label and port are from Cluster API.
 */
import { parseCidr } from '#lib/api/cidr.ts';
import { K8SD_PORT, PROXY } from '#lib/api/k8sd.ts';
import { sortedYaml } from '#lib/api/yaml.ts';
import type { CanonicalKubernetesFacts } from './facts.ts';

const LABELS = { app: PROXY.name };
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

export function proxyManifest({ cluster, config }: CanonicalKubernetesFacts): string {
  const host = parseCidr(cluster.spec.network.pods)?.family === 6 ? '[$(HOST)]' : '$(HOST)';
  return sortedYaml({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: PROXY.name, namespace: PROXY.namespace, labels: LABELS },
    spec: {
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          nodeSelector: { [CONTROL_PLANE]: '' },
          // It has to run wherever k8sd does.
          tolerations: [{ operator: 'Exists' }],
          priorityClassName: 'system-node-critical',
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 65_534, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: PROXY.name,
              image: config.k8sdProxyImage,
              env: [{ name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }],
              // -t: seconds that an answer may take after the request has ended.
              args: ['-t', '90', `TCP-LISTEN:${PROXY.port},fork,reuseaddr,nodelay`, `TCP:${host}:${K8SD_PORT},nodelay`],
              ports: [{ name: 'k8sd', containerPort: PROXY.port }],
              resources: { requests: { cpu: '5m', memory: '8Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  });
}
