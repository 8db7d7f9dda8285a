import { describe, expect, it } from 'vitest';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, grown, request } from './pool.fixture.ts';

/** The failure domain for the next machine of each slot. */
async function zones(machines: readonly KubeObject[], allowed?: readonly string[]): Promise<readonly string[]> {
  const machine = { class: 'standard-4', ...(allowed === undefined ? {} : { zones: allowed }) };
  const pool = aNodePool({ spec: { replicas: machines.length, machine } });
  const next = composed(await replyOf(run, request({ pool, machines })));
  return next.map((machine) => stringAt(machine, 'spec', 'failureDomain')?.slice(-1) ?? '-');
}

describe('a zone that is taken out of the claim', () => {
  it('is emptied: the slots of its machines move to the zones with the fewest machines', async () => {
    const machines = await grown(4);
    expect(await zones(machines)).toEqual(['a', 'b', 'c', 'a']);
    expect(await zones(machines, ['eu-west-1a', 'eu-west-1b'])).toEqual(['a', 'b', 'b', 'a']);
    expect(await zones(machines, ['eu-west-1c'])).toEqual(['c', 'c', 'c', 'c']);
  });

  it('moves a slot once: a slot whose next machine exists already is not moved again', async () => {
    const [first, second, third] = await grown(3);
    const next = {
      ...third!,
      metadata: { ...third!.metadata, name: 'general-2-next' },
      spec: { ...third!.spec, failureDomain: 'eu-west-1b' },
    };
    const pool = aNodePool({
      spec: { replicas: 3, machine: { class: 'standard-4', zones: ['eu-west-1a', 'eu-west-1b'] } },
    });
    const reply = await replyOf(run, request({ pool, machines: [first!, second!, third!, next] }));
    expect(stringAt(reply.resources.get('slot-2')?.resource, 'spec', 'failureDomain')).toBe('eu-west-1b');
  });

  it('moves nothing when the claim names no zones, because a Cluster may report fewer for a while', async () => {
    const elsewhere = (await grown(2)).map((one) => ({ ...one, spec: { ...one.spec, failureDomain: 'eu-west-1z' } }));
    expect(await zones(elsewhere)).toEqual(['z', 'z']);
  });
});
