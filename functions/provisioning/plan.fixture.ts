/** A plan and its Machine: set only what matters, the rest has plausible values. Nothing in it is a real secret. */
import type { ScriptedPlan, PlanFile } from '#lib/api/contracts/bootstrap-plan.ts';
import { Payload } from '#lib/api/contracts/payload.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { aMachine } from '../../test/support/claims.ts';
import { aRequest, aWorld } from '../../test/support/request.ts';
import { run } from './fn.ts';

export function aPlan(parts: Partial<ScriptedPlan> = {}): ScriptedPlan {
  return {
    contract: 1,
    kind: 'scripted',
    provider: 'kubeadm',
    nodeName: 'general-0-aaaaa',
    files: [],
    units: [],
    commands: { pre: [], bootstrap: ['kubeadm join --config /etc/kubernetes/kubeadm.yaml'], post: [] },
    sentinel: '/var/lib/slipway/bootstrap-success.complete',
    removeAfterBootstrap: [],
    ...parts,
  };
}

/** A nodeadm plan, which implements no field of a claim unless it lists it. */
export function aNodeadmPlan(parts: JsonObject = {}): JsonObject {
  return {
    contract: 1,
    kind: 'nodeadm',
    provider: 'nodeadm',
    nodeName: 'general-0-aaaaa',
    config: {
      apiVersion: 'node.eks.aws/v1alpha1',
      kind: 'NodeConfig',
      spec: { cluster: { name: 'prod', cidr: '10.96.0.0/12' }, kubelet: { flags: ['--node-labels=a=b'] } },
    },
    files: [],
    noProxy: ['10.244.0.0/16', '.svc'],
    ...parts,
  };
}

export function aBottlerocketPlan(settings: JsonObject = { kubernetes: { 'cluster-name': 'prod' } }): JsonObject {
  return {
    contract: 1,
    kind: 'bottlerocket',
    provider: 'bottlerocket',
    nodeName: 'general-0-aaaaa',
    settings,
    noProxy: ['10.244.0.0/16', '.svc'],
  };
}

export function aPlanFile(path: string, bytes: Uint8Array | string, parts: Partial<PlanFile> = {}): PlanFile {
  const content = Buffer.from(bytes as string).toString('base64');
  return { path, content, mode: '0600', owner: 'root:root', append: false, instanceVariables: false, ...parts };
}

export function aRenderRequest(provisioning: JsonObject = {}, plan: unknown = aPlan()): Request {
  const composite = aMachine({ spec: { provisioning } });
  return aRequest({ composite, context: { [CONTEXT.bootstrapPlan]: plan as JsonObject } });
}

export async function replyTo(request: Request): Promise<ReplyData> {
  return (await run(request, aWorld())).build();
}

/** First-boot data. */
export async function payloadOf(provisioning: JsonObject = {}, plan: unknown = aPlan()): Promise<Payload> {
  const { context } = await replyTo(aRenderRequest(provisioning, plan));
  return Payload.parse(context[CONTEXT.payload]);
}

/** The payload as text. */
export async function rendered(provisioning: JsonObject = {}, plan: unknown = aPlan()): Promise<string> {
  return Buffer.from((await payloadOf(provisioning, plan)).value, 'base64').toString();
}

/** Fields of a plan, each with another value. */
export function changesOf(plan: ScriptedPlan): readonly (readonly [field: string, changed: ScriptedPlan])[] {
  const changes: Partial<ScriptedPlan> = {
    nodeName: 'another',
    files: [],
    units: [],
    commands: { ...plan.commands, bootstrap: ['other'] },
    sentinel: '/var/lib/other',
    removeAfterBootstrap: [],
  };
  return Object.entries(changes).map(([field, value]) => [field, { ...plan, [field]: value }]);
}
