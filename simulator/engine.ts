/**
 * The public interface of the simulator: everything that other folders import, except render/ and the building blocks
 * of a simulated cloud.
 */
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
export type {
  Engine,
  EngineOptions,
  Faults,
  ListFilter,
  NoCapacity,
  Programs,
  ProviderName,
  RunOutcome,
} from './interface.ts';
export type { Format } from './nodes/first-boot/format.ts';
export type { Tool } from './nodes/joining/plan.ts';
export type { FunctionCaller } from '#lib/wire/client.ts';
export type { FatalResult } from './reconcile/pipeline.ts';
export type { ObjectRef } from './store/ref.ts';
export { UNKNOWN_PROGRAM } from './nodes/joining/joining.ts';
export { FIRST_BOOT } from './nodes/first-boot/boot-failure.ts';
export { PROPAGATIONS, type Propagation } from './store/propagation.ts';

/** An engine at its first instant: no objects, and only the definitions of Kubernetes, Crossplane and the clouds. */
export function createEngine(options: EngineOptions): Engine {
  return new EmbeddedEngine(options);
}
