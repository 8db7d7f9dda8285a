/**
 * An edit that is refused changes nothing, and stops nothing: the call goes on with the spec that was accepted before,
 * and says that the claim is refused.
 */
import { conditionOf } from '#lib/api/conditions.ts';
import { isAboutClaim, SlipwayError } from '#lib/api/errors.ts';
import { at, isJsonObject, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CONDITION, CONTEXT } from '#lib/api/words.ts';
import { isEdit, withSpec } from './claimed-spec.ts';
import { errorWithoutSecrets } from './masking/told.ts';
import { refused } from './refused.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/**
 * Decides by the claim, or by the spec that was accepted before it if the claim is refused; `paused: true` holds either
 * way, since whoever pauses wants nothing to happen. Throws what `decide` throws of the claim if there is no such spec, and
 * if that spec is refused as well.
 *
 * @param accepted  the spec without Crossplane's machinery; undefined: none was accepted yet
 * @param decide  gets why the claim is refused; undefined: the claim decides
 */
export function orAsAccepted(
  request: Request,
  accepted: JsonObject | undefined,
  decide: (request: Request, refusal?: SlipwayError) => Reply,
): Reply {
  // Both decisions ask for what they need, so that the next call gets the objects of both.
  const asking = { ...request, asked: new Map(request.asked) };
  try {
    return decide(asking);
  } catch (thrown) {
    const { composite } = request.observed;
    const isRefusal = isAboutClaim(SlipwayError.from(thrown).code);
    if (accepted === undefined || !isRefusal || !isEdit(composite, accepted)) throw thrown;
    const error = errorWithoutSecrets(thrown, request);
    const spec = at(composite.spec, 'paused') === true ? { ...accepted, paused: true } : accepted;
    const reply = attempt(() => decide(decidedBy(asking, spec), error));
    if (reply === undefined) throw thrown;
    reply.context(CONTEXT.acceptedSpec, spec);
    tell(reply, composite, error);
    return reply;
  }
}

function attempt(decide: () => Reply): Reply | undefined {
  try {
    return decide();
  } catch (thrown) {
    if (SlipwayError.from(thrown).code === 'Internal') throw thrown;
    return undefined;
  }
}

function tell(reply: Reply, composite: KubeObject, error: SlipwayError): void {
  const { condition, context, reason, message } = refused(error, {});
  const before = conditionOf(composite, CONDITION.claimAccepted);
  reply.condition(condition.type, false, reason, message).notReady();
  reply.context(CONTEXT.refusal, context?.[CONTEXT.refusal] ?? {});
  if (before?.status !== 'False' || before.message !== message) reply.event('Warning', reason, message);
}

/** The request of a later step: its XR has the spec that the step before decided by. */
export function asDecided(request: Request): Request {
  const accepted = request.context[CONTEXT.acceptedSpec];
  return isJsonObject(accepted) ? decidedBy(request, accepted) : request;
}

function decidedBy(request: Request, spec: JsonObject): Request {
  const { observed } = request;
  return { ...request, observed: { ...observed, composite: withSpec(observed.composite, spec) } };
}
