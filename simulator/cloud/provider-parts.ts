/** What a provider works with, and what it answers. */
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Journal } from '../facts/journal.ts';
import type { Recorder } from '../facts/recorder.ts';
import type { Store } from '../store/store.ts';
import type { FaultDice } from './fault-dice.ts';
import type { CloudObject } from './kind.ts';
import type { KindNamed } from './references.ts';
import type { Region } from './region.ts';

export interface ProviderParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly recorder: Recorder;
  readonly journal: Journal;
  readonly faultDice: FaultDice;
  readonly region: Region;
  readonly kindNamed: KindNamed;
  /** Called when the cloud created, changed or lost an object. */
  readonly onThing: (change: 'made' | 'changed' | 'lost', thing: CloudObject) => void;
}

/** When to reconcile again: with growing delays, or when something changes. */
export type Again = 'back-off' | undefined;
