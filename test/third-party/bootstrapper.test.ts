/**
 * A third-party bootstrapper as a separate process, and our provisioning step after it: over gRPC, as Crossplane calls
 * both.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BootstrapPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { stringAt } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { connectFunction, type FunctionClient } from '#lib/wire/client.ts';
import { FunctionProcess } from '../../cli/processes/function-process.ts';
import { aCluster, aMachine } from '../support/claims.ts';
import { fileOf } from '../support/first-boot.ts';
import { aRequest } from '../support/request.ts';

const FILE = join(import.meta.dirname, '../../examples/third-party/bootstrapper.ts');

let theirs: ChildProcess;
let bootstrap: FunctionClient;
let provisioning: FunctionProcess;

beforeAll(async () => {
  const port = await freePort();
  theirs = spawn(process.execPath, [FILE, '--insecure', '--address', `127.0.0.1:${port}`], { stdio: 'ignore' });
  bootstrap = connectFunction(`127.0.0.1:${port}`, 'tiny');
  provisioning = new FunctionProcess('provisioning', { port: 0, clock: 'request' });
  await provisioning.running;
});

afterAll(() => {
  bootstrap.close();
  provisioning.stop();
  theirs.kill('SIGTERM');
});

const machine = aMachine({
  spec: { role: 'worker', bootstrap: { provider: 'tiny', action: 'Join', config: { channel: 'edge' } } },
});

test('requests its Cluster, and has no plan before the Cluster exists', async () => {
  const answer = await answering(aRequest({ composite: machine }));
  expect([...answer.requirements.keys()]).toEqual(['cluster']);
  expect(answer.context[CONTEXT.bootstrapPlan]).toBeUndefined();
});

test('its plan follows the contract, and the provisioning step renders first-boot data from it', async () => {
  const cluster = aCluster({
    status: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 }, controlPlane: { initialized: true } },
  });
  const required = new Map([['cluster', [cluster]]]);
  const { context } = await answering({ ...aRequest({ composite: machine }), required });
  const plan = context[CONTEXT.bootstrapPlan];
  expect(BootstrapPlan.parse(plan)).toMatchObject({ kind: 'scripted', provider: 'tiny' });
  const rendered = await provisioning.run(aRequest({ composite: machine, context }));
  const text = Buffer.from(stringAt(rendered.context[CONTEXT.payload], 'value') ?? '', 'base64').toString();
  expect(JSON.parse(fileOf(text, '/etc/tiny/config.json'))).toMatchObject({ channel: 'edge' });
  expect(fileOf(text, '/etc/slipway/bootstrap.sh')).toContain('tiny join --role worker');
});

test('has no plan once first-boot data is stored', async () => {
  const payload = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'p' } };
  const { context } = await answering(aRequest({ composite: machine, observed: { payload } }));
  expect(context[CONTEXT.bootstrapPlan]).toBeUndefined();
});

/** It listens a moment after it was started. */
async function answering(request: Parameters<FunctionClient['run']>[0]): ReturnType<FunctionClient['run']> {
  for (let tries = 0; ; tries += 1)
    try {
      return await bootstrap.run(request);
    } catch (thrown) {
      if (tries > 100) throw thrown;
      await new Promise((resolve) => void setTimeout(resolve, 100));
    }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
