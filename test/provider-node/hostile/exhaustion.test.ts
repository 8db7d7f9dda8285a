/**
 * Twenty workload clusters, one of which tries to exhaust provider-node: the program itself, as a process with a limit of
 * memory. The one is cut off and named; the other nineteen have their Nodes joined and drained as ever.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { newIssuer } from '../../support/authority.ts';
import { addMachine, kubeconfigOf, newWorld, secretOf, type World } from '../load-world.ts';
import { memory, startProgram } from '../program.ts';
import { NAMESPACE } from '../scene.ts';
import { type Answering, json, serve } from './server.ts';

const CLUSTERS = 20;
/** Megabytes that the process may take, as in its package. */
const MEMORY = 512;
/** Of the heap, so that garbage alone does not fill the memory. */
const HEAP = '--max-old-space-size=320';
/** Requests of the hostile one that are answered until it is cut off. */
const REQUESTS = 2500;
/** Seconds in which the others are served, whatever the one does; more on a busy machine. */
const SERVED = 20;

interface Case {
  readonly what: string;
  readonly answering: Answering;
  /** What the object says. */
  readonly why: RegExp;
}

const CASES: readonly Case[] = [
  {
    what: 'large Nodes without an end',
    answering: listing((page) =>
      listOf(
        page,
        Array.from({ length: 100 }, (_, at) => largeNode(page * 100 + at)),
      ),
    ),
    why: /cut off for \d+ s: it sent more than 256 MiB at once/,
  },
  {
    what: 'empty pages without an end',
    answering: listing((page) => listOf(page, [])),
    why: /cut off for \d+ s: its list of [A-Za-z]+s has more than 3 empty pages/,
  },
  {
    what: 'empty objects without an end',
    answering: listing((page) => listOf(page, [{ metadata: { name: `n-${page}` }, junk: TINY }])),
    why: /cut off for \d+ s: an answer has more objects than any of Kubernetes/,
  },
  {
    what: 'ever more Nodes by a watch',
    answering: (request, response) => {
      if (request.url?.includes('watch=true') === true) flood(response);
      else json(listOf(0, [], false))(request, response);
    },
    why: /cut off for \d+ s: (its objects take more than 48 MiB of memory|it sent more than)/,
  },
];

const TINY = Array.from({ length: 1_200_000 }, () => ({}));

test.for(CASES)('a cluster with $what is cut off alone, and the others notice nothing', async ({ answering, why }) => {
  const issuer = await newIssuer('kubernetes', 'ECDSA');
  const world = await newWorld(issuer, 2 * CLUSTERS, CLUSTERS);
  const hostile = await serve(await issuer.issue('api', { ip: ['127.0.0.1'] }), answering);
  world.management.put(secretOf('cluster-0', kubeconfigOf({ server: hostile.url }, issuer)));
  const folder = mkdtempSync(join(tmpdir(), 'slipway-exhaustion-'));
  const { child, metrics } = await startProgram(folder, world, issuer, [HEAP]);
  onTestFinished(() => {
    child.kill('SIGKILL');
    hostile.close();
    for (const api of [world.management, ...world.workloads]) api.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const alive = (): void => {
    expect(child.exitCode, 'the program runs').toBeNull();
    expect(child.signalCode, 'the program runs').toBeNull();
    expect(memory(child.pid, 'VmHWM'), 'megabytes').toBeLessThan(MEMORY);
  };
  const wait = (what: string, left: () => readonly string[]): Promise<unknown> =>
    until(what, { seconds: SERVED }, () => {
      alive();
      const names = left();
      return names.length === 0 ? { found: true } : { yet: names.join(', ') };
    });

  await wait('the others are Ready', () =>
    others(world)
      .filter((one) => !isReady(one))
      .map(nameOf),
  );
  await wait('the one is cut off', () =>
    ones(world)
      .filter((one) => !why.test(said(one)))
      .map(said),
  );
  expect(await (await fetch(`http://${metrics}/metrics`)).text()).toContain(
    `slipway_cut_off_clusters{config="${NAMESPACE}/cluster-0"`,
  );
  for (let cluster = 1; cluster < CLUSTERS; cluster += 1) addMachine(world, `later-${cluster}`, cluster);
  await wait('machines of the others join', () =>
    others(world)
      .filter((one) => !isReady(one))
      .map(nameOf),
  );
  const drained = others(world).filter((one) => nameOf(one).startsWith('node-'));
  for (const one of drained) world.management.delete('WorkloadNode', nameOf(one), NAMESPACE);
  await wait('Nodes of the others are drained', () =>
    others(world)
      .map(nameOf)
      .filter((name) => name.startsWith('node-')),
  );
  const asked = hostile.asked.length;
  expect(asked).toBeLessThan(REQUESTS);
  alive();
});

function others({ management }: World): readonly KubeObject[] {
  return management.list('WorkloadNode').filter((one) => configOf(one) !== 'cluster-0');
}

function ones({ management }: World): readonly KubeObject[] {
  return management.list('WorkloadNode').filter((one) => configOf(one) === 'cluster-0');
}

function configOf({ spec }: KubeObject): unknown {
  return (spec?.['providerConfigRef'] as { readonly name?: string } | undefined)?.name;
}

function isReady(object: KubeObject): boolean {
  return conditionOf(object, 'Ready')?.status === 'True';
}

function said(object: KubeObject): string {
  return `${nameOf(object)}: ${conditionOf(object, 'Synced')?.message}`;
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

/** Lists go on for ever; what is watched stays silent. */
function listing(pageOf: (page: number) => unknown): Answering {
  let page = 0;
  let made: Buffer | undefined;
  return (request, response) => {
    response.writeHead(200, JSON_TYPE);
    if (request.url?.includes('watch=true') === true) response.flushHeaders();
    // One text for all pages: this process has to be faster than the one that it attacks.
    else response.end((made ??= Buffer.from(JSON.stringify(pageOf((page += 1))))));
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function listOf(page: number, items: readonly unknown[], goesOn = true): unknown {
  const metadata = { resourceVersion: '1', ...(goesOn ? { continue: `page-${page + 1}` } : {}) };
  return { kind: 'NodeList', apiVersion: 'v1', metadata, items };
}

function largeNode(index: number): unknown {
  const annotations = { 'example.org/a': 'x'.repeat(30_000) };
  const images = Array.from({ length: 20 }, (_, at) => ({ names: [`image-${index}-${at}`], sizeBytes: 1 }));
  return { metadata: { name: `node-${index}`, uid: `u-${index}`, annotations }, status: { images } };
}

function flood(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  let index = 0;
  const labels = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`l-${at}`, 'x'.repeat(60)]));
  const more = (): void => {
    while (!response.destroyed) {
      index += 1;
      const metadata = { name: `flood-${index}`, uid: `f-${index}`, resourceVersion: String(index), labels };
      const event = { type: 'ADDED', object: { kind: 'Node', apiVersion: 'v1', metadata } };
      if (!response.write(`${JSON.stringify(event)}\n`)) break;
    }
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}
