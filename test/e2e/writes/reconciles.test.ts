import { expect, test } from 'vitest';
import { parseReconciles, reconcilesSince } from './reconciles.ts';

const METRICS = `
controller_runtime_reconcile_total{controller="composite/machines.slipway.dev",result="success"} 30
controller_runtime_reconcile_total{controller="composite/machines.slipway.dev",result="requeue_after"} 12
controller_runtime_reconcile_total{controller="usage/usages.protection.crossplane.io",result="success"} 7
`;

test('reconciles of XRs are counted over all of their results', () => {
  expect(parseReconciles(METRICS)).toEqual(new Map([['machines.slipway.dev', 42]]));
});

test('reconciles are told since the first reading', () => {
  expect(reconcilesSince(new Map([['machines.slipway.dev', 40]]), parseReconciles(METRICS))).toEqual([
    'machines.slipway.dev 2',
  ]);
});
