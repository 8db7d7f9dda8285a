/** All scenarios. */
import { CONTROL_PLANES } from './scenarios/control-planes.ts';
import { SCALING } from './scenarios/scaling.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { FAILURES } from './scenarios/failures.ts';
import { WORKERS } from './scenarios/workers.ts';

export const SCENARIOS: readonly Scenario[] = [...WORKERS, ...CONTROL_PLANES, ...SCALING, ...FAILURES];
