/** The engine's front door: everything other rooms import from lib/engine, but for render/. */
import { EmbeddedEngine } from './embedded-engine.ts';
import type { Engine, EngineOptions } from './interface.ts';

export type {
  ComposedFacts,
  CompositeFacts,
  Counters,
  EventFacts,
  Happening,
  Moment,
  Snapshot,
} from './facts/facts.ts';
export type { Engine, EngineOptions, Faults, ListFilter, RunOutcome } from './interface.ts';
export type { FunctionCaller } from './reconcile/function-caller.ts';
export type { ObjectRef } from './store/ref.ts';

/** An engine at its first instant: no objects, no definitions but Kubernetes', Crossplane's and the clouds' own. */
export function createEngine(options: EngineOptions): Engine {
  return new EmbeddedEngine(options);
}
