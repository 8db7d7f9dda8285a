/** Hosts have the names that their owner gave them: functions choose none. */
import type { NameLimits } from '../../test/clouds/name-limits.ts';

export const NAME_LIMITS: NameLimits = {};
