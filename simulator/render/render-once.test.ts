/**
 * One reconcile without a cluster. The expected results come from `crossplane composition render` of Crossplane v2.4.2.
 */
import { describe, expect, test } from 'vitest';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import {
  type Decision,
  FakeFunctions,
  aComposition,
  aConfigMap,
  anXr,
  anXrd,
  want,
} from '../fake-functions.fixture.ts';
import { conditionsOf } from '../reconcile/conditions.ts';
import { RenderError, type RenderContext, renderOnce } from './render-once.ts';

const existing = (name: string, key: string): KubeObject => ({
  ...aConfigMap(name),
  metadata: { name, namespace: 'team-a', annotations: { 'crossplane.io/composition-resource-name': key } },
});

function render(decide: Decision, surroundings: Partial<RenderContext> = {}, spec: JsonObject = {}) {
  const { caller } = new FakeFunctions({ compose: decide });
  return renderOnce(anXr('App', 'one', spec), aComposition('App', 'compose'), { functions: caller, ...surroundings });
}

describe('a render', () => {
  test('prints what a reconcile would write to the XR, and what it would apply', async () => {
    const rendered = await render(() => ({
      status: { said: 'hello' },
      conditions: [{ type: 'Fine', status: 'True', reason: 'Because' }],
      resources: { ready: want(aConfigMap('a')), unready: want(aConfigMap(undefined), false) },
    }));
    expect(rendered).toMatchInlineSnapshot(`
      {
        "composed": [
          {
            "apiVersion": "v1",
            "data": {},
            "kind": "ConfigMap",
            "metadata": {
              "annotations": {
                "crossplane.io/composition-resource-name": "ready",
              },
              "labels": {
                "crossplane.io/composite": "one",
              },
              "name": "a",
              "namespace": "team-a",
              "ownerReferences": [
                {
                  "apiVersion": "example.org/v1",
                  "blockOwnerDeletion": true,
                  "controller": true,
                  "kind": "App",
                  "name": "one",
                  "uid": "4c53bea7-0fd5-51cf-a39f-b3c2d4ad4202",
                },
              ],
            },
          },
          {
            "apiVersion": "v1",
            "data": {},
            "kind": "ConfigMap",
            "metadata": {
              "annotations": {
                "crossplane.io/composition-resource-name": "unready",
              },
              "generateName": "one-",
              "labels": {
                "crossplane.io/composite": "one",
              },
              "name": "one-a6dc537c4ba7",
              "namespace": "team-a",
              "ownerReferences": [
                {
                  "apiVersion": "example.org/v1",
                  "blockOwnerDeletion": true,
                  "controller": true,
                  "kind": "App",
                  "name": "one",
                  "uid": "4c53bea7-0fd5-51cf-a39f-b3c2d4ad4202",
                },
              ],
            },
          },
        ],
        "composite": {
          "apiVersion": "example.org/v1",
          "kind": "App",
          "metadata": {
            "name": "one",
            "namespace": "team-a",
          },
          "spec": {
            "crossplane": {
              "resourceRefs": [
                {
                  "apiVersion": "v1",
                  "kind": "ConfigMap",
                  "name": "a",
                },
                {
                  "apiVersion": "v1",
                  "kind": "ConfigMap",
                  "name": "one-a6dc537c4ba7",
                },
              ],
            },
          },
          "status": {
            "conditions": [
              {
                "lastTransitionTime": "2024-01-01T00:00:00Z",
                "reason": "WatchCircuitClosed",
                "status": "True",
                "type": "Responsive",
              },
              {
                "lastTransitionTime": "2024-01-01T00:00:00Z",
                "reason": "Because",
                "status": "True",
                "type": "Fine",
              },
              {
                "lastTransitionTime": "2024-01-01T00:00:00Z",
                "reason": "ReconcileSuccess",
                "status": "True",
                "type": "Synced",
              },
              {
                "lastTransitionTime": "2024-01-01T00:00:00Z",
                "message": "Unready resources: unready",
                "reason": "Creating",
                "status": "False",
                "type": "Ready",
              },
            ],
            "said": "hello",
          },
        },
        "context": {},
        "deleted": [],
        "results": [
          {
            "message": "Successfully selected composition: app",
            "reason": "SelectComposition",
            "severity": "Normal",
          },
          {
            "message": "Composed resource "unready" is not yet ready",
            "reason": "ComposeResources",
            "severity": "Normal",
          },
        ],
      }
    `);
  });

  test('keeps names of observed objects and lists what would be deleted: only what the XR controls', async () => {
    let uid = '';
    const compose: Decision = ({ observed: { composite } }) => {
      uid = composite.metadata?.uid ?? '';
      return { resources: { a: want(aConfigMap('other')) } };
    };
    await render(compose);
    const owner = { apiVersion: 'example.org/v1', kind: 'App', name: 'one', uid, controller: true };
    const labels = { 'crossplane.io/composite': 'one', own: 'x' };
    const owned = existing('dropped', 'b');
    const observed = [
      existing('kept', 'a'),
      { ...owned, metadata: { ...owned.metadata, labels, ownerReferences: [owner] } },
      existing('strange', 'c'),
    ];
    const { composed, deleted } = await render(compose, { observed });
    expect(composed.map(({ metadata }) => metadata?.name)).toEqual(['kept']);
    expect(deleted.map(({ metadata }) => [metadata?.name, metadata?.labels])).toEqual([['dropped', { own: 'x' }]]);
  });

  test('passes the XR, the observed and the required objects to functions', async () => {
    const seen: unknown[] = [];
    await render(
      ({ observed, required }) => {
        seen.push(
          [...observed.resources.keys()],
          observed.composite.status,
          required.get('all')?.map(({ metadata }) => metadata?.name),
        );
        return { requirements: { all: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a' } } };
      },
      {
        observed: [existing('seen', 'a')],
        required: [existing('given', 'x'), { ...existing('far', 'x'), metadata: { name: 'far' } }],
      },
    );
    expect(seen.slice(3)).toEqual([
      ['a'],
      { conditions: [expect.objectContaining({ type: 'Responsive' })] },
      ['given', 'seen'],
    ]);
  });

  test('starts the pipeline with a context and returns the last one', async () => {
    const { context } = await render(
      ({ context }) => ({ context: { doubled: [context['word'] ?? null, context['word'] ?? null] } }),
      {
        context: { word: 'x' },
      },
    );
    expect(context).toEqual({ word: 'x', doubled: ['x', 'x'] });
  });

  test('fills in the defaults of a definition', async () => {
    const definition = anXrd('App', { type: 'object', properties: { size: { type: 'integer', default: 3 } } });
    const { composite } = await render(
      ({ observed }) => ({ status: { size: observed.composite.spec?.['size'] ?? null } }),
      { definition },
    );
    expect(composite.status).toMatchObject({ size: 3 });
  });

  test('sets no update policy, unlike an API server', async () => {
    const named = anXrd('App', { type: 'object' });
    const policy = async (definition: KubeObject): Promise<unknown> => {
      const { composite } = await render(
        ({ observed }) => ({ status: { crossplane: observed.composite.spec?.['crossplane'] ?? null } }),
        { definition },
        { crossplane: {} },
      );
      return at(composite, 'status', 'crossplane', 'compositionUpdatePolicy');
    };
    expect(await policy(named)).toBeUndefined();
    const manual = { ...named, spec: { ...named.spec, defaultCompositionUpdatePolicy: 'Manual' } };
    expect(await policy(manual)).toBe('Manual');
  });

  test('composes and deletes nothing for an XR that is being deleted, and calls no function', async () => {
    const functions = new FakeFunctions({ compose: () => ({ resources: { a: want(aConfigMap('a')) } }) });
    const xr = anXr('App', 'one');
    const going = { ...xr, metadata: { ...xr.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const rendered = await renderOnce(going, aComposition('App', 'compose'), {
      functions: functions.caller,
      observed: [existing('kept', 'b')],
    });
    expect(rendered).toMatchObject({ composed: [], deleted: [], results: [] });
    const conditions = conditionsOf(rendered.composite).map(({ type, status, reason }) => [type, status, reason]);
    expect(conditions).toEqual([
      ['Responsive', 'True', 'WatchCircuitClosed'],
      ['Ready', 'False', 'Deleting'],
      ['Synced', 'True', 'ReconcileSuccess'],
    ]);
    expect(functions.calls).toEqual({});
  });

  test('of the same files gives the same bytes', async () => {
    const decide: Decision = (_request, now) => ({
      status: { now: now.toISOString() },
      resources: { a: want(aConfigMap(undefined)) },
    });
    expect(JSON.stringify(await render(decide))).toBe(JSON.stringify(await render(decide)));
  });
});

describe('a render is refused', () => {
  test('when the pipeline is', async () => {
    const failing = render(() => ({ results: [{ severity: 'Fatal', message: 'spec.size: 0 is not accepted' }] }));
    await expect(failing).rejects.toThrow(
      'cannot render App "team-a/one": pipeline step "compose" returned a fatal result: spec.size: 0 is not accepted',
    );
  });

  test('and still prints what Crossplane writes: the reason, and that the rest is unknown', async () => {
    const { caller } = new FakeFunctions({
      compose: () => ({
        conditions: [{ type: 'ClaimAccepted', status: 'False', reason: 'InvalidClaim' }],
        results: [{ severity: 'Fatal', message: 'no' }],
      }),
    });
    const fine = { type: 'Fine', status: 'True', reason: 'Because', lastTransitionTime: '2023-01-01T00:00:00Z' };
    const xr = { ...anXr('App', 'one'), status: { conditions: [fine] } };
    const failing = await renderOnce(xr, aComposition('App', 'compose'), { functions: caller }).catch(
      (thrown: unknown) => thrown,
    );
    if (!(failing instanceof RenderError)) throw new Error('it must be refused');
    const { composite, results } = failing.left;
    expect(conditionsOf(composite).map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ['Fine', 'Unknown', 'FatalError'],
      ['Responsive', 'True', 'WatchCircuitClosed'],
      ['Synced', 'False', 'ReconcileError'],
      ['ClaimAccepted', 'False', 'InvalidClaim'],
    ]);
    expect(results.map(({ reason, message }) => [reason, message])).toEqual([
      ['SelectComposition', 'Successfully selected composition: app'],
      ['ComposeResources', 'cannot compose resources: pipeline step "compose" returned a fatal result: no'],
    ]);
  });

  test('when the Composition is for another kind or lacks a label that the claim selects', async () => {
    const { caller } = new FakeFunctions({});
    const other = renderOnce(anXr('App', 'one'), aComposition('Other', 'x'), { functions: caller });
    await expect(other).rejects.toThrow('it is for example.org/v1 Other, not for example.org/v1 App');
    const picky = render(() => ({}), {}, { crossplane: { compositionSelector: { matchLabels: { flavor: 'aws' } } } });
    await expect(picky).rejects.toThrow('its label flavor is ""; the claim selects "aws"');
  });

  test('when an observed resource belongs to another owner', async () => {
    const foreign = { ...existing('a', 'a'), metadata: { ...existing('a', 'a').metadata, namespace: 'team-b' } };
    await expect(render(() => ({}), { observed: [foreign] })).rejects.toThrow(
      'observed ConfigMap "team-b/a" is in another namespace',
    );
  });
});
