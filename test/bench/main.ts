/**
 * What a settled pool of a given size costs its two functions, over gRPC. `npm run bench -- --help` lists the options.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import type { KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import type { FunctionAnswer } from '#lib/wire/reply.ts';
import { encodeRequest } from '#lib/wire/request.ts';
import { FunctionProcess } from '../../cli/processes/function-process.ts';
import { table } from '../../cli/terminal/table.ts';
import { runCommand, wholeNumber } from '../support/command-line.ts';
import { poolRequest, upAndReady, UPDATE_INPUT } from './pool.ts';

const HELP = `Usage: npm run bench -- [--sizes N,N,…] [--calls N]

Prints a table of what one pool, every machine of it ready, costs its two functions: time, bytes and memory.

  --sizes N,N,…  how many machines the pools have (3,10,100,1000)
  --calls N      how many calls for each size (60)
`;

let nodepool: FunctionProcess;
let update: FunctionProcess;

/** nodepool, then in-place-update with the desired state of nodepool: one call of the pipeline. */
async function pipeline(request: Request): Promise<{ readonly second: Request; readonly answer: FunctionAnswer }> {
  const first = await nodepool.run(request);
  // Each step gets only its own requirements.
  const second: Request = {
    ...request,
    input: UPDATE_INPUT,
    desired: first.desired,
    context: first.context,
    required: new Map(),
  };
  return { second, answer: await update.run(second) };
}

/** Peak memory of a process in MiB, as Linux counts it; '-' on other systems. */
function peak(pid: number | undefined): string {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? '-' : `${Math.round(Number(kilobytes) / 1024)} MiB`;
  } catch {
    return '-';
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;

function sizeOf({ desired, context }: FunctionAnswer): number {
  const resources = Object.fromEntries([...desired.resources].map(([key, { resource }]) => [key, { resource }]));
  return RunFunctionResponse.encode(RunFunctionResponse.fromPartial({ desired: { resources }, context })).finish()
    .length;
}

async function measure(size: number, calls: number): Promise<readonly string[]> {
  const made = await pipeline(poolRequest(size, []));
  const machines: readonly KubeObject[] = [...made.answer.desired.resources.values()].map(({ resource }) =>
    upAndReady(resource),
  );
  const request = poolRequest(size, machines);
  const { second, answer } = await pipeline(request);
  const took: number[] = [];
  const began = performance.now();
  for (let i = 0; i < calls; i += 1) {
    const start = performance.now();
    await pipeline(request);
    took.push(performance.now() - start);
    if (process.stderr.isTTY) process.stderr.write(`\r${size} machines: call ${i + 1} of ${calls} `);
  }
  const seconds = (performance.now() - began) / 1000;
  const changed = await pipeline(poolRequest(size, machines, { machine: { class: 'standard-8' }, labels: { a: 'b' } }));
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [
    String(size),
    milliseconds(at(0.5)),
    milliseconds(at(0.95)),
    `${(calls / seconds).toFixed(1)}/s`,
    kilobytes(RunFunctionRequest.encode(encodeRequest(request)).finish().length),
    kilobytes(RunFunctionRequest.encode(encodeRequest(second)).finish().length),
    kilobytes(sizeOf(answer)),
    kilobytes(sizeOf(changed.answer)),
    `${peak(nodepool.pid)} + ${peak(update.pid)}`,
    `${(at(0.5) / size).toFixed(3)} ms`,
  ];
}

const HEAD = [
  'MACHINES',
  'P50',
  'P95',
  'PIPELINES',
  'REQUEST 1',
  'REQUEST 2',
  'RESPONSE',
  'ALL CHANGED',
  'PEAK MEMORY',
  'P50 PER MACHINE',
];

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '3,10,100,1000' },
      calls: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const sizes = values.sizes.split(',').map((text) => wholeNumber('--sizes', text, 1));
  const calls = wholeNumber('--calls', values.calls, 1);
  nodepool = new FunctionProcess('nodepool', { port: 0, clock: 'request' });
  update = new FunctionProcess('in-place-update', { port: 0, clock: 'request' });
  const stop = (): void => [nodepool, update].forEach((one) => one.stop());
  process.once('exit', stop);
  await Promise.all([nodepool.running, update.running]);
  const rows: (readonly string[])[] = [HEAD];
  for (const size of sizes) rows.push(await measure(size, calls));
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  console.log(`nodepool → in-place-update over gRPC, ${calls} calls each, every machine ready\n`);
  console.log(table(rows).join('\n'));
  stop();
});
