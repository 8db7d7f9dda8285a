/** Fields that change no answer until machines do something, by kind and place, and the test that shows what they do then. */
const BUDGET = 'functions/in-place-update/plan/plan.test.ts';
const REMEDIATION = 'functions/nodepool/remediation.test.ts';

export const LANDS: Readonly<Record<string, string>> = {
  'NodePool spec.update.strategy': BUDGET,
  'NodePool spec.update.maxSurge': BUDGET,
  'NodePool spec.update.maxUnavailable': BUDGET,
  'NodePool spec.update.fallback': BUDGET,
  'NodePool spec.update.minReadySeconds': 'functions/nodepool/fn.test.ts',
  'NodePool spec.deletion.order': 'functions/nodepool/scale-down.test.ts',
  'NodePool spec.health.nodeStartupTimeout': REMEDIATION,
  'NodePool spec.health.unhealthyConditions[0].type': REMEDIATION,
  'NodePool spec.health.unhealthyConditions[0].status': REMEDIATION,
  'NodePool spec.health.unhealthyConditions[0].timeout': REMEDIATION,
  'NodePool spec.health.maxUnhealthy': REMEDIATION,
  'NodePool spec.health.unhealthyRange': REMEDIATION,
  'NodePool spec.health.maxInFlight': REMEDIATION,
  'NodePool spec.health.retryPeriod': 'test/sim/loops.ts',
  'NodePool spec.health.minHealthyPeriod': REMEDIATION,
  'NodePool spec.health.maxRetry': REMEDIATION,
  'NodePool spec.update.expireAfter': 'functions/nodepool/restart.test.ts',
  'NodePool spec.update.rolloutAfter': 'functions/nodepool/fn.test.ts',
  'Machine spec.rolloutAfter': 'functions/nodepool/fn.test.ts',
  'Cluster spec.addons[0].when': 'functions/addons/fn.test.ts',
  'Machine spec.update.updaters[0].name': 'functions/machine/update.test.ts',
  'Machine spec.update.updaters[0].disruptive': 'functions/machine/update.test.ts',
  'NodePool spec.paused': BUDGET,
};
