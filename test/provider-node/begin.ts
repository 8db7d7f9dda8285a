/** How every part of the suite begins a scene. */
import type { Player, Scene, Stage } from './player.ts';

/** Seconds within which every implementation has reconciled. */
export const SOON = 15;
/** Seconds within which a Node is empty if all its pods accept eviction, or updaters have run. */
export const WHILE = 60;

/** A scene of this player, after so many seconds. */
export function beginner(player: Player): (scene?: Scene, seconds?: number) => Promise<Stage> {
  return async (scene = {}, seconds = SOON) => {
    const stage = await player.begin(scene);
    await stage.pass(seconds);
    return stage;
  };
}
