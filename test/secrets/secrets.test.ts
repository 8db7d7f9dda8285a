/**
 * Secrets stand in Secrets only: every version of every object, every condition and every event on the way of
 * examples/aws to Ready is searched for every key and token that was generated.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { createEngine, type Engine } from '#lib/engine/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions, ROOT } from '../../cli/files/repository.ts';
import { inProcess } from '../support/in-process.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { found, secretsOf } from './findings.ts';

/** By what it is: everything that was ever seen, each text once. */
const seen = new Map<string, Set<string>>();
let engine: Engine;
let secrets: readonly string[] = [];

function note(what: string, value: unknown): void {
  const texts = seen.get(what) ?? new Set();
  seen.set(what, texts.add(JSON.stringify(value)));
}

beforeAll(async () => {
  engine = createEngine({ start: new Date('2026-01-01T00:00:00Z'), seed: 0, functions: inProcess });
  const kept = new Map<string, KubeObject>();
  engine.subscribe((happening) => {
    if (happening.type === 'condition') note('condition', happening.condition);
    else if (happening.type === 'event') note('event', happening.event);
    else if (happening.type === 'moment') note('moment', happening.moment);
    else if (happening.type === 'object') {
      const object = engine.get(happening.ref);
      if (object === undefined) return;
      if (object.apiVersion === 'v1' && object.kind === 'Secret') kept.set(object.metadata?.name ?? '', object);
      else note(`${object.kind} of ${object.apiVersion}`, object);
    }
  });
  engine.load([...definitions(), ...compositions()]);
  for (const object of readObjects([join(ROOT, 'examples/aws')])) engine.apply(object);
  await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  secrets = [...new Set([...kept.values()].flatMap((secret) => secretsOf(secret)))];
}, 300_000);

describe('on the way to Ready', () => {
  test('keys and tokens were made, and are found where they are', () => {
    expect(allReady(engine)).toBe(true);
    const payloads = engine
      .list({ apiVersion: 'v1', kind: 'Secret' })
      .filter(({ type }) => type === 'cluster.x-k8s.io/secret');
    expect(secrets.length).toBeGreaterThan(10);
    expect(payloads.filter((payload) => found(payload['data'], secrets).length > 0).length).toBeGreaterThanOrEqual(8);
    const zipped = gzipSync(secrets.join('\n')).toString('base64');
    expect(found({ spec: { initProvider: { userDataBase64: zipped } } }, secrets)).toEqual(secrets);
  });

  test('the kinds that had them on other ways were looked at', () => {
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        'Cluster of slipway.dev/v1alpha1',
        'Machine of slipway.dev/v1alpha1',
        'Instance of ec2.aws.m.upbound.io/v1beta1',
        'Secret of secretsmanager.aws.m.upbound.io/v1beta1',
        'SecretVersion of secretsmanager.aws.m.upbound.io/v1beta1',
        'WorkloadNode of node.slipway.dev/v1alpha1',
        'condition',
        'event',
      ]),
    );
  });

  test('nothing else holds one', () => {
    const leaks = [...seen].filter(([, texts]) =>
      [...texts].some((text) => found(JSON.parse(text), secrets).length > 0),
    );
    expect(leaks.map(([what]) => what)).toEqual([]);
  });

  test('in the cloud no secret is left behind', () => {
    const left = ['Secret', 'SecretVersion'].flatMap((kind) =>
      engine.list({ apiVersion: 'secretsmanager.aws.m.upbound.io/v1beta1', kind }),
    );
    expect(left).toEqual([]);
  });
});
