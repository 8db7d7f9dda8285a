import { expect, test } from 'vitest';
import { asked, errorIn, isRead } from './call.ts';

const form = (body: string) => asked({ target: undefined, method: 'POST', path: '/', body });

test('a call is about the first id in it, and never about user data', () => {
  const body =
    'Action=RunInstances&UserData=c2VjcmV0&TagSpecification.1.Tag.1.Key=Name&TagSpecification.1.Tag.1.Value=a&SubnetId=subnet-0123456789abcdef0';
  expect(form(body)).toEqual({ action: 'RunInstances', about: 'subnet-0123456789abcdef0', named: ['a'] });
  expect(form('Action=GetRole&RoleName=node').about).toBe('node');
});

test('a call of Secrets Manager is about its secret, and shows no value', () => {
  const body = JSON.stringify({ SecretId: 'slipway/a', SecretString: 'fake' });
  const call = asked({ target: 'secretsmanager.PutSecretValue', method: 'POST', path: '/', body });
  expect(call).toEqual({ action: 'PutSecretValue', about: 'slipway/a', named: [] });
});

test('reads change nothing', () => {
  expect(['DescribeVpcs', 'GetSecretValue', 'CreateTags'].map((action) => isRead({ action }))).toEqual([
    true,
    true,
    false,
  ]);
});

test('errors are told by their code', () => {
  expect(errorIn(400, '<Code>RequestLimitExceeded</Code>')).toBe('RequestLimitExceeded');
  expect(errorIn(400, '{"__type": "ResourceNotFoundException"}')).toBe('ResourceNotFoundException');
  expect(errorIn(200, '')).toBeUndefined();
});
