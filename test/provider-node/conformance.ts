/**
 * What every implementation of WorkloadNodes has to do, behaviour by behaviour. It tests the simulator, plain
 * decisions, and the real controller, so that they do not diverge.
 */
import { afterEach, expect } from 'vitest';
import { describeCertificates } from './certificates.ts';
import { describeDeletions } from './deletions.ts';
import { describeDrains } from './drains.ts';
import { describeImpostors } from './impostors.ts';
import { describeJoins } from './joins.ts';
import { describeManaged } from './managed.ts';
import { describeMembers } from './members.ts';
import { describeNodes } from './nodes.ts';
import type { Player, Stage } from './player.ts';
import { describeRecords } from './records.ts';
import { strangersAmong } from './said.ts';
import { describeUpdates } from './updates.ts';

const PARTS = [
  describeManaged,
  describeNodes,
  describeJoins,
  describeUpdates,
  describeDeletions,
  describeDrains,
  describeCertificates,
  describeMembers,
  describeImpostors,
  describeRecords,
] as const;

export function describeProviderNode(player: Player): void {
  const watched = withKnownWords(player);
  for (const describePart of PARTS) describePart(watched);
}

/** At its end, no stage of any part says what the contract does not know. */
function withKnownWords(player: Player): Player {
  const stages = new Set<Stage>();
  afterEach(() => {
    const strangers = [...stages].flatMap((stage) => strangersAmong(stage.object()));
    stages.clear();
    expect(strangers, 'every condition is one of the contract').toEqual([]);
  });
  return {
    ...player,
    begin: async (scene) => {
      const stage = await player.begin(scene);
      stages.add(stage);
      return stage;
    },
  };
}
