/** A chart that several clouds install is the same chart on each: a fix of one reaches the others. */
import { expect, test } from 'vitest';
import { at, isJsonObject, type Json } from '#lib/api/json.ts';
import { compositions } from '../../cli/files/repository.ts';

test('every Composition installs the same versions of a chart', () => {
  const found = new Map<string, Set<string>>();
  const look = (value: Json | undefined): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (!isJsonObject(value)) return;
    const [name, versions] = [at(value, 'chart', 'name'), value['versions']];
    if (typeof name === 'string' && versions !== undefined)
      found.set(name, (found.get(name) ?? new Set()).add(JSON.stringify(versions)));
    Object.values(value).forEach(look);
  };
  compositions().forEach((one) => look(one.spec));
  expect(found.size).toBeGreaterThan(0);
  for (const [name, versions] of found) expect([...versions], name).toHaveLength(1);
});
