/** The objects in a workload cluster that run updaters on a Node: a namespace, a pod, a Secret with the scripts. */
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
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
  return `slipway-update-${sha256(`${node.uid} ${id}`).slice(0, 12)}`;
}

/** Label of a namespace. */
export const ENFORCE = 'pod-security.kubernetes.io/enforce';

export function namespaceObject(): KubeObject {
  const labels = { ...OURS, [ENFORCE]: 'privileged' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } };
}

/** It goes with its pod. @param scripts  in base64, by updater */
export function secretObject(run: Run, scripts: JsonObject, pod: KubeObject): KubeObject {
  const data = run.updaters.map((name, index) => [`${String(index).padStart(2, '0')}-${name}`, scripts[name]]);
  const name = nameOfRun(run);
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid: pod.metadata?.uid ?? '' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE, labels: OURS, ownerReferences: [owner] },
    data: Object.fromEntries(data) as JsonObject,
  };
}

/** @param image  it has \`sh\` and \`nsenter\`, or links to those of the host at \`/host\` @param seconds  for the run */
export function podObject(run: Run, image: string, seconds: number): KubeObject {
  const name = nameOfRun(run);
  const limit = Math.max(1, Math.ceil(seconds));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: NAMESPACE,
      labels: { ...OURS, ...STAYS },
      annotations: { 'node.slipway.dev/update': run.id },
    },
    spec: {
      nodeName: run.node.name,
      hostPID: true,
      hostNetwork: true,
      restartPolicy: 'OnFailure',
      activeDeadlineSeconds: limit + SLACK,
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'runner',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['sh', '-c', runnerScript(name, limit)],
          env: RUNNER_ENV.map((one) => ({ ...one })),
          securityContext: { privileged: true, runAsUser: 0 },
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: [
            { name: 'scripts', mountPath: SCRIPTS, readOnly: true },
            { name: 'host', mountPath: '/host', readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'scripts', secret: { secretName: name, defaultMode: 0o400 } },
        { name: 'host', hostPath: { path: '/' } },
      ],
    },
  };
}

/** Whether a pod of that name is of this update, and not made by somebody else. */
export function isOfRun(pod: KubeObject, { id }: Pick<Run, 'id'>): boolean {
  return stringAt(pod, 'metadata', 'annotations', 'node.slipway.dev/update') === id;
}

/** Seconds for the end of the unit. */
const SLACK = 60;
const OURS = { 'app.kubernetes.io/managed-by': 'slipway' } as const;
/** A drain leaves it: it runs the update that the drain is for. */
const STAYS = { 'cluster.x-k8s.io/drain': 'skip' } as const;
