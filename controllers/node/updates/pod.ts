/** The objects in a workload cluster that run updaters on a Node: a namespace, a Secret with the scripts, a pod. */
import { createHash } from 'node:crypto';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { RUNNER_ENV, runnerScript, SCRIPTS } from './runner.ts';

/** Made on first need. Pods that enter their host are allowed in it, and in no other namespace of Slipway. */
export const NAMESPACE = 'slipway-system';

export interface Run {
  readonly node: { readonly name: string; readonly uid: string };
  /** Of the update. */
  readonly id: string;
  /** In their order. */
  readonly updaters: readonly string[];
}

/** One name for pod, Secret and unit: of this update on this Node, never the same for another. */
export function nameOfRun({ node, id }: Pick<Run, 'node' | 'id'>): string {
  const hash = createHash('sha256').update(`${node.uid} ${id}`).digest('hex').slice(0, 12);
  return `slipway-update-${hash}`;
}

export function namespaceObject(): KubeObject {
  const enforce = { 'pod-security.kubernetes.io/enforce': 'privileged' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels: { ...LABELS, ...enforce } } };
}

/** @param scripts  in base64, by updater */
export function secretObject(run: Run, scripts: JsonObject): KubeObject {
  const data = Object.fromEntries(
    run.updaters.map((name, index) => [`${String(index).padStart(2, '0')}-${name}`, scripts[name]]),
  );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: nameOfRun(run), namespace: NAMESPACE, labels: LABELS },
    immutable: true,
    data,
  };
}

/** @param image  it has \`sh\` and \`nsenter\`. @param seconds  after which the kubelet ends it */
export function podObject(run: Run, image: string, seconds: number): KubeObject {
  const name = nameOfRun(run);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE, labels: LABELS, annotations: { 'node.slipway.dev/update': run.id } },
    spec: {
      nodeName: run.node.name,
      hostPID: true,
      restartPolicy: 'OnFailure',
      activeDeadlineSeconds: Math.max(1, Math.ceil(seconds)),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'runner',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['sh', '-c', runnerScript(name)],
          env: [RUNNER_ENV],
          securityContext: { privileged: true, runAsUser: 0 },
          terminationMessagePolicy: 'File',
          volumeMounts: [{ name: 'scripts', mountPath: SCRIPTS, readOnly: true }],
        },
      ],
      volumes: [{ name: 'scripts', secret: { secretName: name, defaultMode: 0o400 } }],
    },
  };
}

const LABELS = { 'app.kubernetes.io/managed-by': 'slipway', 'cluster.x-k8s.io/drain': 'skip' } as const;
