/** A call goes on with the spec that was accepted before, while an edit of the claim is refused. */
import { describe, expect, it } from 'vitest';
import { type ErrorCode, SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { aRequest } from '../../test/support/request.ts';
import { keeps } from './law.ts';
import { asDecided, orAsAccepted } from './refused-edit.ts';
import { Reply } from './reply.ts';
import type { Request } from './request.ts';

const ACCEPTED = { size: 'small', replicas: 3 };

function called(spec: JsonObject, conditions: readonly JsonObject[] = []): Request {
  const crossplane = { compositionRef: { name: 'a' } };
  const composite: KubeObject = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'NodePool',
    metadata: { name: 'general', namespace: 'team-a' },
    spec: { ...spec, crossplane },
    status: { conditions: [...conditions] },
  };
  return aRequest({ composite });
}

/** Refuses sizes that it does not know, and asks for what the size names. */
function decide(code: ErrorCode = 'InvalidClaim') {
  return (request: Request): Reply => {
    const size = stringAt(request.observed.composite, 'spec', 'size') ?? '';
    const reply = new Reply(
      request,
      keeps(() => true),
    );
    reply.require(`overrides-${size}`, { apiVersion: 'v1', kind: 'ConfigMap', matchName: size });
    if (size !== 'small') throw new SlipwayError(code, `size: "${size}" is not accepted`, { field: 'spec.size' });
    return reply.status({ seen: request.observed.composite.spec ?? {} });
  };
}

describe('a claim', () => {
  it('that is accepted decides', () => {
    const data = orAsAccepted(called({ size: 'small', replicas: 5 }), ACCEPTED, decide()).build();
    expect(data.status['seen']).toMatchObject({ replicas: 5 });
    expect(data).toMatchObject({ conditions: [], context: {} });
  });

  it('that is refused leaves the spec that was accepted before to decide, whole, and says so', () => {
    const data = orAsAccepted(called({ size: 'huge', replicas: 5 }), ACCEPTED, decide()).build();
    expect(data.status['seen']).toEqual({ ...ACCEPTED, crossplane: { compositionRef: { name: 'a' } } });
    const message = 'size: "huge" is not accepted';
    expect(data.conditions).toEqual([{ type: 'ClaimAccepted', status: 'False', reason: 'InvalidClaim', message }]);
    expect(data.events).toEqual([{ severity: 'Warning', reason: 'InvalidClaim', message }]);
    expect(data.compositeReady).toBe('False');
  });

  it('that is refused pauses all the same', () => {
    const data = orAsAccepted(called({ size: 'huge', paused: true }), ACCEPTED, decide()).build();
    expect(data.status['seen']).toMatchObject({ ...ACCEPTED, paused: true });
    expect(data.context).toMatchObject({ 'slipway.dev/accepted-spec': { ...ACCEPTED, paused: true } });
  });

  it('that is refused asks for what both specs need, so that the next call decides the same', () => {
    const { requirements } = orAsAccepted(called({ size: 'huge' }), ACCEPTED, decide()).build();
    expect([...requirements.keys()].toSorted()).toEqual(['overrides-huge', 'overrides-small']);
  });

  it('that stays refused has one event', () => {
    const said = { type: 'ClaimAccepted', status: 'False', message: 'size: "huge" is not accepted' };
    expect(orAsAccepted(called({ size: 'huge' }, [said]), ACCEPTED, decide()).build().events).toEqual([]);
  });

  it('that is refused is decided by later steps as before', () => {
    const request = called({ size: 'huge' });
    const { context } = orAsAccepted(request, ACCEPTED, decide()).build();
    expect(asDecided({ ...request, context }).observed.composite.spec).toMatchObject(ACCEPTED);
    expect(asDecided(request).observed.composite.spec).toMatchObject({ size: 'huge' });
  });

  it.for<{ name: string; spec: JsonObject; accepted: JsonObject | undefined; code?: ErrorCode }>([
    { name: 'and was never accepted', spec: { size: 'huge' }, accepted: undefined },
    { name: 'as it was accepted, because the platform changed', spec: { size: 'huge' }, accepted: { size: 'huge' } },
    { name: 'after another that is refused by now', spec: { size: 'huge' }, accepted: { size: 'large' } },
    { name: 'for what was observed', spec: { size: 'huge' }, accepted: ACCEPTED, code: 'InvalidObserved' },
  ])('that is refused $name stops the call', ({ spec, accepted, code }) => {
    expect(() => orAsAccepted(called(spec), accepted, decide(code))).toThrow('size: "huge" is not accepted');
  });
});
