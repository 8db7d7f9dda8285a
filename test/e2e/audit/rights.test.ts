import { expect, test } from 'vitest';
import type { Request } from './log.ts';
import { PROVIDER_NODE, refused, strangers } from './rights.ts';

function asked(username: string, verb: string, code: number, objectRef: Request['objectRef'] = {}): Request {
  return {
    verb,
    stage: 'ResponseComplete',
    user: { username },
    objectRef,
    responseStatus: { code },
    stageTimestamp: '2026-01-01T00:00:00.000000Z',
  };
}

const REQUESTS = [
  asked(PROVIDER_NODE, 'list', 200, { resource: 'nodes' }),
  asked(PROVIDER_NODE, 'create', 403, { resource: 'pods', subresource: 'eviction', namespace: 'default' }),
  asked(PROVIDER_NODE, 'create', 403, { resource: 'pods', subresource: 'eviction', namespace: 'default' }),
  asked('machines', 'delete', 403, { resource: 'nodes' }),
  asked('kubernetes-admin', 'get', 200, { resource: 'nodes' }),
];

test('whoever is not expected is named once', () => {
  expect(strangers(REQUESTS, [PROVIDER_NODE, 'machines'])).toEqual(['kubernetes-admin']);
});

test('what the roles refuse to a user is named once, and not what others may not do', () => {
  expect(refused(REQUESTS, PROVIDER_NODE)).toEqual(['create pods/eviction in default']);
});

test('what is granted later was refused only by an API server that had not read its roles', () => {
  const later = asked(PROVIDER_NODE, 'create', 201, {
    resource: 'pods',
    subresource: 'eviction',
    namespace: 'default',
  });
  expect(refused([...REQUESTS, later], PROVIDER_NODE)).toEqual([]);
  expect(refused([later, ...REQUESTS], PROVIDER_NODE)).toEqual(['create pods/eviction in default']);
});
