import { describe, expect, it } from 'vitest';
import { BOOTSTRAPPERS } from '../../functions/bootstrap/registry.ts';
import { described } from '../fields/described.ts';
import { fieldRows } from '../fields/rows.ts';
import { configPage } from './page.ts';

describe.for(Object.entries(BOOTSTRAPPERS).map(([name, { config }]) => ({ name, config })))(
  'the page of $name',
  ({ name, config }) => {
    const rows = fieldRows(described(config.schema));
    const cells = configPage({ name, config })
      .split('\n')
      .map((line) => /^\| `([^`]+)`\s+\| ([a-z ]+?)\s+\|/.exec(line))
      .filter((found) => found !== null)
      .map(([, path = '', of = '']) => ({ path, of }));

    it('has every field once, with its meaning', () => {
      expect(cells.map(({ path }) => path)).toEqual(rows.map(({ path }) => path));
      expect(rows.filter(({ meaning }) => meaning === '').map(({ path }) => path)).toEqual([]);
    });

    it('says where each field may be set, and has no field that does not exist', () => {
      const { ofTheCluster, ofControlPlanes = [] } = config;
      const fieldsOf = (whom: string) =>
        cells.filter(({ path, of }) => of === whom && !/[.[]/.test(path)).map(({ path }) => path);
      expect(fieldsOf('the cluster').toSorted()).toEqual([...ofTheCluster].toSorted());
      expect(fieldsOf('control planes').toSorted()).toEqual([...ofControlPlanes].toSorted());
    });
  },
);
