/** All scenarios, and their update rules: those of AWS pools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import { CONTROL_PLANES } from './scenarios/control-planes.ts';
import { SCALING } from './scenarios/scaling.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { FAILURES } from './scenarios/failures.ts';
import { WORKERS } from './scenarios/workers.ts';

export const RULES = parse(
  readFileSync(join(import.meta.dirname, '../../clouds/aws/rules.yaml'), 'utf8'),
) as JsonObject;

export const SCENARIOS: readonly Scenario[] = [...WORKERS, ...CONTROL_PLANES, ...SCALING, ...FAILURES];
