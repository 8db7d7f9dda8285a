/** How a plan can be printed. */
export const PLAN_FORMATS = ['table', 'json', 'yaml', 'markdown'] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];
