/** What is cut off is not known any more: nothing is let go because of it. */
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { nodeObject } from '../scene.ts';
import { type Answering, json, serve } from './server.ts';
import { authority, HostileStage, kubeconfigTo } from './stage.ts';

/** Seconds. What cannot be reached is let go after half an hour. */
const LONG = 2700;

test('a WorkloadNode whose cluster is cut off in the middle says so, and is not let go without a drain', async () => {
  const watches = new Set<ServerResponse>();
  let isHostile = false;
  const answering: Answering = (request, response) => {
    const isNodes = request.url?.includes('/nodes') === true;
    if (request.url?.includes('watch=true') === true) {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      return void (isNodes && watches.add(response));
    }
    const items = isNodes && !isHostile ? [nodeObject({})] : [];
    const metadata = { resourceVersion: '1', ...(isNodes && isHostile ? { continue: 'more' } : {}) };
    if (request.method === 'GET') return json({ kind: 'List', apiVersion: 'v1', metadata, items })(request, response);
    return json(nodeObject({}))(request, response);
  };
  const server = await serve(await (await authority()).issue('api', { ip: ['127.0.0.1'] }), answering);
  onTestFinished(() => server.close());
  const stage = await HostileStage.begin({ kubeconfig: await kubeconfigTo(server.url), local: true });
  onTestFinished(() => stage.end());
  await stage.until('it is found', () => stage.said('Ready') === 'Ready True Available');
  isHostile = true;
  const expired = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } };
  for (const watch of watches) watch.write(`${JSON.stringify(expired)}\n`);
  await stage.until('it is cut off', () => stage.said('Synced')?.includes('cut off for') === true);
  expect(stage.said('Synced')?.replace(server.url, 'https://a')).toBe(
    'Synced False ReconcileError: observe failed: https://a is cut off for 60 s: its list of Nodes has more than 3 empty pages',
  );
  stage.delete();
  const begun = stage.seconds;
  await stage.until('a long time has passed', () => stage.seconds - begun > LONG);
  expect(stage.object(), 'it waits').toBeDefined();
  expect(stage.said('Drained')).toMatch(/^Drained False Unreachable: .* cut off for \d+ s: .*; waits without limit/);
  expect(server.asked.length, 'and is asked less and less').toBeLessThan(200);
});
